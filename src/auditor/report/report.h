// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "judge/verdict.h"
#include "record/audit_record.h"
#include "report/checks.h"
#include "report/measured.h"
#include "report/other.h"
#include "report/rows.h"
#include "report/summary.h"

namespace mpiaudit {

/// An audit as judged. Tables, conclusions and report.json are printed from a Report.
struct Report {
    /// Header of the first launch, with the rule of the report and the warnings of all launches.
    record::Header header;
    OptionValues judged_options;                ///< those of the audit, with the rule of the report
    std::optional<MachineAfter> machine_after;  ///< at the end of the first launch
    bool is_complete = false;
    std::vector<ReportedLaunch> launches;  ///< empty for one launch
    std::vector<ReportedProblem> problems;
    std::vector<Choice> choices;
    std::vector<JudgedCheck> checks;
    std::vector<ViolatedRange> ranges;  ///< worst first
    std::vector<OverviewRow> overview;  ///< in the order of the first screen; needs `ranges`
    /// Operations whose algorithms of the library another audit has compared (judge
    /// --settings-of), and the settings that this audit has found, largest saving first.
    std::vector<std::string> compared_operations;
    std::vector<FasterSetting> faster_settings;
    std::vector<MemoryLoss> memory_losses;    ///< largest loss first
    std::vector<Tail> tails;                  ///< those that take most of their time first
    std::vector<MessageTimes> message_times;  ///< one for each launch with such times
    double elapsed_s = 0;
    std::optional<Savings> savings;  ///< none if the audit is of no application
    /// The calls of the launch with the most pairs, with the faults of all launches.
    std::optional<record::GeneratedCalls> generated_calls;
    /// MPI_Barrier was wrong when it synchronised the ranks (--sync).
    std::optional<record::Incident> wrong_barrier;
    ReportSummary summary;
};

/// Returns null if no problem of the report has this id.
const ReportedProblem* find_problem(const Report& report, const std::string& id);

/// Judges all checks of an audit by `rule`. Alpha is divided by the number of planned checks.
Report make_report(const record::Audit& audit, const judge::Rule& rule);

/// Judges several launches of one audit together (record/samples_file.h). The report has the checks
/// and problems of the first launch, each judged over all launches that measured it.
Report make_report(std::span<const record::Audit> launches, judge::Rule rule);
/// Judges by the rule of the audit.
Report make_report(std::span<const record::Audit> launches);

/// Returns for each problem and operation that was measured with the library's own algorithms: the
/// median time of the library's choice and of each algorithm, fastest first, and the rank of the
/// choice among the algorithms.
std::vector<Choice> choices(const std::vector<ReportedProblem>& problems);

/// Takes the operations and the confirmed settings of an audit with --algorithms into a report.
void add_settings_of(const Report& algorithms, Report& report);

/// Returns what the application of the audit could save; nothing if the audit is of no application.
std::optional<Savings> savings_of(const Report& report);

/// Returns what the application would save by the right side of a check; nothing if the check was
/// not measured or is of no application.
std::optional<Saving> saving_by(const Report& report, const JudgedCheck& check);

}  // namespace mpiaudit
