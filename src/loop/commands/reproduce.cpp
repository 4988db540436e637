// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "commands/loop_commands.h"
#include "record/samples_file.h"
#include "report/findings.h"
#include "report/report.h"
#include "reproducer/reproducer.h"
#include "text/console.h"
#include "text/exit_code.h"

namespace mpiaudit {
namespace {

/// A ratio of one launch may be far from the ratios of others.
void warn_of_one_launch(const JudgedCheck& check) {
    if (check.launches.size() > 1) return;
    remark(
        "warning: only one launch has measured {}@{}, and launches differ; measure it in more "
        "launches first (mpiaudit run --confirm FOLDER)",
        check.guideline, check.problem);
}

/// The check that is asked for or the form that is wrong or known to fail; else the worst violation
/// for which a program can be written, or where there is none the first such form.
std::string program(const Report& report, const std::vector<record::Audit>& launches,
                    const std::string& asked) {
    std::vector<const JudgedCheck*> checks;
    for (const JudgedCheck& each : report.checks)
        if (asked.empty() ? each.is_violation() : each.guideline + '@' + each.problem == asked)
            checks.push_back(&each);
    std::ranges::stable_sort(checks, std::greater<>{},
                             [](const JudgedCheck* each) { return severity(*each); });
    std::string why = asked.empty() ? "nothing violated or wrong was found; name a check by --check"
                                    : "--check: the audit has no check " + asked +
                                          "; checks are named GUIDELINE@PROBLEM, as in its report, "
                                          "and what is wrong MPI_Gather_init(m)@PROBLEM";
    for (const JudgedCheck* each : checks) {
        try {
            std::string text = reproducer(report, *each, launches);
            warn_of_one_launch(*each);
            return text;
        } catch (const std::invalid_argument& error) {
            why = fmt::format("{}@{}: {}", each->guideline, each->problem, error.what());
        }
    }
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& each : problem.contestants) {
            const std::string name = each.name + '@' + problem.problem.id;
            const bool is_fault = each.wrong || each.known_to_fail;
            if (!is_fault || (!asked.empty() && asked != name)) continue;
            ReportedContestant fault = each;
            if (!fault.wrong) fault.wrong = fault.skipped;
            try {
                return reproducer_of_wrong(report, problem, fault, launches);
            } catch (const std::invalid_argument& error) {
                why = fmt::format("{}: {}", name, error.what());
            }
        }
    }
    throw UsageError("reproduce: " + why);
}

}  // namespace

int reproduce(const ReproduceOptions& options) {
    const std::vector<record::Audit> launches = launches_of(options.results);
    const Report report = make_report(launches);
    say("{}", program(report, launches, options.check));
    return exit_done;
}

}  // namespace mpiaudit
