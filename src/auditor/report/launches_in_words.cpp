// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <set>
#include <vector>

#include "report/console.h"

namespace mpiaudit {
namespace {

using judge::Verdict;

constexpr std::size_t disagreements_in_words = 3;

using Checks = std::set<record::CheckKey>;

/// How the launches that measured the checks again judge them, each alone.
struct Again {
    std::size_t violated = 0;  ///< in all of these launches
    std::size_t held = 0;      ///< in at least one
    std::size_t unclear = 0;   ///< the others
    std::size_t accused = 0;   ///< violated in at least one
    /// Fewer than were asked for when there was no time for some.
    std::size_t measured = 0;
};

Again count_again(const Report& report, const Checks& checks, const std::set<int>& launches) {
    Again again;
    for (const JudgedCheck& check : report.checks) {
        if (!checks.contains({check.problem, check.guideline})) continue;
        std::set<Verdict> verdicts;
        for (const JudgedLaunch& each : check.launches) {
            if (launches.contains(each.launch)) verdicts.insert(each.samples.judgement.verdict);
        }
        if (verdicts.empty()) continue;
        ++again.measured;
        again.accused += verdicts.contains(Verdict::violated);
        if (verdicts == std::set{Verdict::violated})
            ++again.violated;
        else
            ++(verdicts.contains(Verdict::holds) ? again.held : again.unclear);
    }
    return again;
}

/// What launches say of the checks that they were to measure again: launches 2 to 7 confirm 116 of
/// 142 suspected violations (4 unclear, 19 hold in at least one, 3 not measured again), and accuse
/// 0 of 30 checks that held before.
std::string confirmation_in_words(const Report& report, const record::Confirms& confirms,
                                  const std::set<int>& launches) {
    const Checks suspects(confirms.suspects.begin(), confirms.suspects.end());
    const Checks controls(confirms.controls.begin(), confirms.controls.end());
    const bool several = launches.size() > 1;
    const Again again = count_again(report, suspects, launches);
    std::vector<std::string> others;
    const auto add = [&](std::size_t count, std::string_view what) {
        if (count > 0) others.push_back(fmt::format("{} {}", count, what));
    };
    add(again.unclear, "unclear");
    add(again.held, several ? "hold in at least one" : "hold there");
    add(suspects.size() - again.measured, "not measured again");
    std::string text = fmt::format(
        "{} {} of {}{}",
        several
            ? fmt::format("Launches {} to {} all confirm", *launches.begin(), *launches.rbegin())
            : fmt::format("Launch {} confirms", *launches.begin()),
        again.violated, counted(suspects.size(), "suspected violation"),
        others.empty() ? "" : fmt::format(" ({})", fmt::join(others, ", ")));
    if (controls.empty()) return text;
    const Again control = count_again(report, controls, launches);
    if (control.measured == 0) return text;
    return text + fmt::format(", and accuse{} {} of {} that held before", several ? "" : "s",
                              control.accused, counted(control.measured, "check"));
}

/// The largest ratio of a launch over the smallest, which may be 0 or infinite.
double spread_of_launches(const JudgedCheck* check) {
    const auto factor = [](const JudgedLaunch& launch) { return launch.samples.judgement.factor; };
    const auto [least, most] = std::ranges::minmax_element(check->launches, {}, factor);
    return factor(*most) == factor(*least) ? 1.0 : factor(*most) / factor(*least);
}

}  // namespace

std::vector<std::string> synchronisations_in_words(const Report& report) {
    std::vector<std::string> sentences;
    if (!report.summary.synchronisations_disagree) return sentences;
    sentences.push_back(
        fmt::format("after a barrier and by the global clock {} checks have opposite verdicts",
                    *report.summary.synchronisations_disagree));
    for (const JudgedCheck& check : report.checks) {
        if (!check.synchronisations_disagree || sentences.size() > disagreements_in_words) continue;
        const auto ratio = [](const JudgedSamples& samples) {
            return samples.has_ratio() ? fmt::format("{:.2f}", samples.judgement.ratio.median)
                                       : "infinite";
        };
        sentences.push_back(fmt::format("{} <= {} on {}: ratio {} after a barrier, {} by the clock",
                                        check.left, check.right, check.problem,
                                        ratio(*check.samples), ratio(check.second->samples)));
    }
    return sentences;
}

std::string heaps_in_words(const Report& report) {
    std::size_t only_first = 0, only_repeated = 0;
    for (const JudgedCheck& check : report.checks) {
        if (!check.young_heap || check.kind != CheckKind::verdict) continue;
        const judge::Verdict young = check.young_heap->judgement.verdict;
        only_first += check.verdict == judge::Verdict::holds && young == judge::Verdict::violated;
        only_repeated +=
            check.verdict == judge::Verdict::violated && young == judge::Verdict::holds;
    }
    if (only_first + only_repeated == 0) return "";
    std::string text;
    if (only_first > 0)
        text =
            fmt::format("Slow only in first calls (new memory): {}", counted(only_first, "check"));
    if (only_repeated > 0)
        text += fmt::format("{}only in repeated calls{}: {}", text.empty() ? "Slow " : "; ",
                            text.empty() ? ", not in first calls (new memory)" : "",
                            counted(only_repeated, "check"));
    return text;
}

std::vector<std::string> launches_in_words(const Report& report) {
    std::vector<std::string> sentences;
    if (report.launches.empty()) return sentences;
    sentences.push_back(fmt::format("{} launches judged together", report.launches.size()));
    // Launches that confirm the same audit have measured the same checks.
    std::map<std::vector<record::CheckKey>, std::pair<const record::Confirms*, std::set<int>>>
        confirmations;
    int number = 0;
    for (const ReportedLaunch& launch : report.launches) {
        ++number;
        if (!launch.confirms) continue;
        auto& [confirms, launches] = confirmations[launch.confirms->suspects];
        confirms = &*launch.confirms;
        launches.insert(number);
    }
    for (const auto& [suspects, confirmation] : confirmations)
        sentences.push_back(
            confirmation_in_words(report, *confirmation.first, confirmation.second));
    std::vector<const JudgedCheck*> disagreements;
    for (const JudgedCheck& check : report.checks)
        if (check.launches_disagree) disagreements.push_back(&check);
    std::ranges::stable_sort(disagreements, std::greater{}, spread_of_launches);
    for (const JudgedCheck* check : disagreements | std::views::take(disagreements_in_words))
        sentences.push_back(fmt::format("{} <= {} on {}: {}", check->left, check->right,
                                        check->problem, check->reason));
    if (disagreements.size() > disagreements_in_words)
        sentences.push_back(
            fmt::format("launches disagree on {} checks in all", disagreements.size()));
    return sentences;
}

}  // namespace mpiaudit
