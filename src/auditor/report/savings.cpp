// SPDX-License-Identifier: BSD-3-Clause
// The possible savings of an application: declared in report/report.h and report/console.h.
#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/findings.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

/// Returns the seconds that calls save with a way that is faster by this factor.
double saved_s(double all_calls_s, double factor) {
    return factor > 0 ? all_calls_s * (1 - 1 / factor) : 0.0;
}

/// Returns the violated check of a problem whose interval begins highest; null if none is violated.
const JudgedCheck* best_check(const Report& report, const std::string& problem) {
    const JudgedCheck* best = nullptr;
    for (const JudgedCheck& check : report.checks) {
        if (check.problem != problem || !check.is_violation() || !check.samples->has_ratio())
            continue;
        if (best == nullptr ||
            check.samples->judgement.ratio.low > best->samples->judgement.ratio.low)
            best = &check;
    }
    return best;
}

/// Returns the median of the call as the application makes it, in seconds; nullopt if the call was
/// not measured.
std::optional<double> median_s(const ReportedProblem& problem, const std::string& collective) {
    for (const ReportedContestant& each : problem.contestants) {
        const Way& way = each.name.way();
        const bool is_call = way.is_one_call() && way.copy == 1 && way.only()->name() == collective;
        if (is_call && each.statistics) return each.statistics->median;
    }
    return std::nullopt;
}

/// Returns a saving that has no faster way yet; nullopt if the call was not measured.
std::optional<Saving> measured_call(const ReportedProblem& problem,
                                    const application::SelectedProblem& selected) {
    const std::optional<double> library_s = median_s(problem, selected.collective);
    if (!library_s) return std::nullopt;
    return Saving{.problem = problem.problem.id,
                  .collective = selected.collective,
                  .calls = selected.calls,
                  .recorded_s = selected.seconds,
                  .library_s = *library_s};
}

void take(Saving& saving, const JudgedCheck& check, double share) {
    const auto& ratio = check.samples->judgement.ratio;
    const double all_calls_s = saving.library_s * static_cast<double>(saving.calls) * share;
    saving.instead = check.right;
    saving.factor = ratio.median;
    // A call may take longer in the audit than in the application, which cannot save more than its
    // calls took.
    const auto saved = [&](double by) {
        return std::min(saved_s(all_calls_s, by), saving.recorded_s);
    };
    saving.saved_s = saved(ratio.median);
    saving.low_s = saved(ratio.low);
    saving.high_s = saved(ratio.high);
    saving.launches = std::max<std::size_t>(1, check.launches.size());
}

}  // namespace

std::optional<Savings> savings_of(const Report& report) {
    if (!report.header.application) return std::nullopt;
    const application::Selection& application = *report.header.application;
    Savings savings;
    savings.recorded_s = application.seconds;
    for (const application::SelectedProblem& selected : application.problems) {
        const ReportedProblem* const problem = find_in(
            report.problems, selected.name,
            [](const auto& each) -> const std::string& { return each.problem.distribution; });
        if (problem == nullptr) continue;
        std::optional<Saving> saving = measured_call(*problem, selected);
        if (!saving) continue;
        const JudgedCheck* const check = best_check(report, saving->problem);
        if (check != nullptr) take(*saving, *check, selected.share);
        savings.audited_s += saving->recorded_s;
        savings.saved_s += saving->saved_s;
        savings.low_s += saving->low_s;
        savings.high_s += saving->high_s;
        savings.problems.push_back(*saving);
    }
    std::ranges::stable_sort(savings.problems, std::ranges::greater{}, &Saving::saved_s);
    return savings;
}

std::optional<Saving> saving_by(const Report& report, const JudgedCheck& check) {
    if (!report.header.application || !check.samples || !check.samples->has_ratio())
        return std::nullopt;
    const ReportedProblem* const problem = find_problem(report, check.problem);
    const auto& problems = report.header.application->problems;
    const auto* const selected =
        find_in(problems, problem->problem.distribution, &application::SelectedProblem::name);
    if (selected == nullptr) return std::nullopt;
    std::optional<Saving> saving = measured_call(*problem, *selected);
    if (saving) take(*saving, check, selected->share);
    return saving;
}

}  // namespace mpiaudit
