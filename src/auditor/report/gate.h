// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "options/options.h"
#include "report/report.h"
#include "report/wrong_results.h"

namespace mpiaudit {

/// What has to agree for a problem to be the same in two audits: distribution, sizes, ranks, root,
/// element and operator.
using ProblemIdentity = std::vector<std::string>;
ProblemIdentity identity_of(const record::ProblemDescription& problem);

/// Medians in seconds of the library's operations on each problem.
using NativeTimes = std::map<ProblemIdentity, std::map<std::string, double>>;
NativeTimes native_times(const Report& report);

/// An earlier audit that a gate compares with.
struct Baseline {
    NativeTimes times;
    std::set<std::string> wrong_forms;  ///< as WrongForm::form
};
/// \param path that of a report.json or of a folder that has one. Throws UsageError where there is
/// no report.
Baseline read_baseline(const std::string& path);
/// The median of an operation counts where its name is that of an MPI function on all data, and
/// twice as the geometric mean where it stands twice.
void add_time(std::map<std::string, double>& times, const Way& way, double median_s);

/// What became slower or faster between two launches (docs/method.md, "Before and after"): launches
/// of one library differ by up to a quarter.
struct BeforeAfter {
    struct Change {
        std::string operation;
        double ratio;
    };
    std::vector<Change> changes;  ///< the largest first
    std::string sentence;         ///< the whole answer
    std::size_t common = 0;       ///< operations that both have on a problem

    bool is_slower(const Way& way) const;
    bool has_slower() const;
};
BeforeAfter before_after(const NativeTimes& before, const NativeTimes& after);
/// "The baseline is A, this audit B: MPI_Bcast is 1.50 times slower".
std::string in_words(const BeforeAfter& found);

/// The violations of a report by what a user asks to fail for, and what became slower than in the
/// baseline. Remarks are nowhere in it.
struct GateOutcome {
    std::vector<const JudgedCheck*> failing;
    std::vector<const JudgedCheck*> tolerated;  ///< not as much as the condition asks
    std::vector<const JudgedCheck*> excused;    ///< of operations no slower than in the baseline
    std::optional<BeforeAfter> beside_baseline;
    bool has_failed = false;               ///< because of violations, or of what became slower
    std::vector<WrongForm> wrong;          ///< always fail, whatever the condition says
    std::vector<WrongForm> excused_wrong;  ///< that are wrong in the baseline, too
};

/// Throws UsageError where the baseline cannot be read or has no problem of the report.
GateOutcome outcome_of_gate(const Report& report, const GateOptions& options);

/// What became slower or faster, and how many violations fail and how many do not, in sentences;
/// empty where none is excused and there is no baseline.
std::string in_words(const GateOutcome& outcome);

/// What writes each of the formats.
#define MPIAUDIT_WRITER(option, help) \
    std::string option(const Report& report, const GateOutcome& outcome);
namespace writers {
MPIAUDIT_FORMATS(MPIAUDIT_WRITER)
}
#define MPIAUDIT_WRITER_OF(option, help) writers::option,
inline constexpr std::string (*printers[])(const Report&, const GateOutcome&) = {
    MPIAUDIT_FORMATS(MPIAUDIT_WRITER_OF)};

}  // namespace mpiaudit
