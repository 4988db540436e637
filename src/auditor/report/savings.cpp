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

constexpr std::size_t most_shown = 5;

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

std::string interval_text(double value, double low, double high) {
    return fmt::format("{} ({} to {})", time_text(value), time_text(low), time_text(high));
}

std::string line_of(const Report& report, const Saving& saving) {
    const record::ProblemDescription& problem = find_problem(report, saving.problem)->problem;
    const bool has_size = saving.collective != "MPI_Barrier";
    const std::string size =
        has_size ? fmt::format(" of {}", bytes_text(problem.total * problem.element_bytes)) : "";
    return fmt::format("  {}  {}{}, {} calls of {}: {} is {} times as fast",
                       interval_text(saving.saved_s, saving.low_s, saving.high_s),
                       saving.collective, size, saving.calls, time_text(saving.library_s),
                       saving.instead, ratio_text(saving.factor));
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
    savings.in_words = fmt::format(
        "{} of {} per rank in collectives can be saved.",
        savings.saved_s > 0 ? interval_text(savings.saved_s, savings.low_s, savings.high_s)
                            : "none",
        time_text(savings.recorded_s));
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

std::string left_out_in_words(const application::Selection& selection) {
    struct Group {
        std::size_t problems = 0;
        double seconds = 0;
        std::string command;
    };
    std::map<std::string, Group> reasons;
    for (const application::LeftOutProblem& each : selection.left_out) {
        Group& group = reasons[each.reason];
        ++group.problems;
        group.seconds += each.seconds;
        group.command = each.command;
    }
    std::vector<std::pair<std::string, Group>> sorted(reasons.begin(), reasons.end());
    std::ranges::stable_sort(sorted, std::ranges::greater{},
                             [](const auto& each) { return each.second.seconds; });
    std::string text;
    for (const auto& [reason, group] : sorted)
        text += fmt::format("{}{} with {}: {}{}", text.empty() ? "" : "; ",
                            counted(group.problems, "problem"), time_text(group.seconds), reason,
                            group.command.empty() ? "" : " (" + group.command + ")");
    return text;
}

std::vector<std::string> savings_in_words(const Report& report) {
    if (!report.savings) return {};
    const application::Selection& application = *report.header.application;
    std::vector<std::string> sentences = {fmt::format(
        "{} on {}: {}", application.program,
        counted(static_cast<std::size_t>(application.ranks), "rank"), report.savings->in_words)};
    std::size_t shown = 0;
    for (const Saving& each : report.savings->problems)
        if (!each.instead.empty() && ++shown <= most_shown)
            sentences.push_back(line_of(report, each));
    if (shown > most_shown)
        sentences.push_back(fmt::format("  and {} more, in the report", shown - most_shown));
    if (!application.left_out.empty())
        sentences.push_back("Not audited: " + left_out_in_words(application));
    return sentences;
}

}  // namespace mpiaudit
