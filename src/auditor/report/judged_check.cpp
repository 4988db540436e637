// SPDX-License-Identifier: BSD-3-Clause
#include "report/judged_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "judge/verdict.h"
#include "random/random_bits.h"
#include "report/findings.h"
#include "report/order_of_calls.h"
#include "report/pasted_code.h"

namespace mpiaudit {
namespace {

using judge::Verdict;

const record::Contestant& left_of(const MeasuredCheck& measured) {
    return measured.problem->contestants[measured.check->left];
}

const record::Contestant& right_of(const MeasuredCheck& measured) {
    return measured.problem->contestants[measured.check->right];
}

/// Why a check has no samples; empty when it has.
std::string reason_for_skip(const MeasuredCheck& measured) {
    for (const record::Contestant* each : {&left_of(measured), &right_of(measured)}) {
        const std::string& name = each->name;
        if (each->wrong) return fmt::format("{} is wrong: {}", name, *each->wrong);
        if (each->skipped == record::no_time_left) return *each->skipped;
        if (each->skipped)
            return each->skipped->starts_with(record::step_of(name).arrow)
                       ? *each->skipped
                       : name + ": " + *each->skipped;
    }
    const bool has_samples =
        !left_of(measured).samples_s.empty() && !right_of(measured).samples_s.empty();
    if (has_samples) return "";
    const std::optional<record::WindowRecord>& window = measured.problem->window;
    // With two ways the samples of the first one are missing, which had no window.
    const std::string late =
        window && !measured.problem->second ? reason_without_rounds(*window) : "";
    return late.empty() ? record::no_time_left : late;
}

bool is_wrong(const MeasuredCheck& measured) {
    return left_of(measured).wrong || right_of(measured).wrong;
}

std::string reason_for_doubt(const record::ProblemRecord& problem, int rounds) {
    // What had been given up by then has fewer rounds than the problem.
    if (problem.stopped == record::Stopped::budget &&
        static_cast<std::size_t>(rounds) == problem.order.size())
        return fmt::format("the time budget was used up after {} rounds", rounds);
    return fmt::format("not clear after {} rounds: too close to the tolerance to be decided soon",
                       rounds);
}

std::string reason_for_doubt(const judge::JointJudgement& judgement,
                             std::span<const MeasuredCheck> launches) {
    if (!judgement.launches_disagree)
        return fmt::format("not clear after {} rounds in {} launches", judgement.joint.rounds,
                           launches.size());
    std::string ratios, numbers, against;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        ratios += fmt::format(" {:.2f}", judgement.launches[i].factor);
        numbers += fmt::format(" {}", launches[i].launch);
        if (judgement.launches[i].log_e_violated < 0.0)
            against += fmt::format(" {}", launches[i].launch);
    }
    // Above the tolerance, a ratio alone does not tell.
    if (!against.empty()) against = ", no evidence in" + against;
    return fmt::format("launches disagree: ratios{} in launches{}{}", ratios, numbers, against);
}

JudgedSamples with_bounds(const judge::Judgement& judgement, const judge::Rule& rule) {
    return {judgement, std::log(rule.checks / rule.alpha), std::log(1.0 / rule.alpha)};
}

bool is_contradiction(Verdict verdict, Verdict other) {
    return (verdict == Verdict::violated && other == Verdict::holds) ||
           (verdict == Verdict::holds && other == Verdict::violated);
}

std::uint64_t seed_of(const MeasuredCheck& measured, std::uint64_t way = 0) {
    return coin_seed(measured.order_seed + way, measured.problem->problem.id,
                     measured.check->guideline);
}

/// A violation that depends on the order of calls is none: it becomes undecided. Returns why, empty
/// where the judgement stays as it is.
std::string withdraw_if_order_decides(std::span<const LaunchRounds> launches,
                                      const MeasuredCheck& measured, const judge::Rule& rule,
                                      judge::Judgement& judgement) {
    if (judgement.verdict != Verdict::violated) return "";
    std::string reason =
        dependence_on_order(launches, rule, left_of(measured).name, right_of(measured).name);
    if (!reason.empty()) judgement.verdict = Verdict::undecided;
    return reason;
}

LaunchRounds rounds_in_launch(const MeasuredCheck& measured) {
    return {rounds_of_check(recorded_rounds(*measured.problem), *measured.check),
            seed_of(measured)};
}

/// The numbers over all launches, and those of each.
void judge_over(std::span<const MeasuredCheck> launches, const judge::Rule& rule,
                JudgedCheck& judged) {
    std::vector<judge::LaunchSamples> samples;
    for (const MeasuredCheck& each : launches)
        samples.push_back(
            {left_of(each).samples_s, right_of(each).samples_s, seed_of(each), each.checks});
    judge::JointJudgement judgement = judge_launches(samples, rule);
    std::vector<LaunchRounds> rounds;
    for (const MeasuredCheck& each : launches) rounds.push_back(rounds_in_launch(each));
    for (std::size_t i = 0; i < launches.size(); ++i)
        withdraw_if_order_decides({&rounds[i], 1}, launches[i], rule, judgement.launches[i]);
    judged.reason = withdraw_if_order_decides(rounds, launches.front(), rule, judgement.joint);
    judged.depends_on_order = !judged.reason.empty();
    judged.samples = with_bounds(judgement.joint, rule);
    judged.verdict = judgement.joint.verdict;
    if (judged.verdict == Verdict::undecided && judged.reason.empty())
        judged.reason = reason_for_doubt(judgement, launches);
    judged.launches_disagree = judgement.launches_disagree;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        judge::Rule own = rule;
        own.checks = launches[i].checks;
        judged.launches.push_back({launches[i].launch, with_bounds(judgement.launches[i], own)});
    }
}

/// What other rounds of the same contestants say; nothing where a side has none.
std::optional<JudgedSamples> judged_apart(const record::MoreRounds& rounds,
                                          const MeasuredCheck& measured, const judge::Rule& rule,
                                          std::uint64_t way) {
    const auto& left_s = rounds.samples_s[measured.check->left];
    const auto& right_s = rounds.samples_s[measured.check->right];
    if (left_s.empty() || right_s.empty()) return std::nullopt;
    const std::uint64_t seed = seed_of(measured, way);
    judge::Judgement judgement = judge::judge(left_s, right_s, rule, seed);
    if (judgement.verdict == Verdict::violated) {
        const LaunchRounds launch{
            rounds_of_check(recorded_rounds(*measured.problem, rounds), *measured.check), seed};
        withdraw_if_order_decides({&launch, 1}, measured, rule, judgement);
    }
    return with_bounds(judgement, rule);
}

void add_second(const MeasuredCheck& measured, const judge::Rule& rule, JudgedCheck& judged) {
    const auto& second = measured.problem->second;
    if (!second) return;
    const auto samples = judged_apart(*second, measured, rule, second_way);
    if (!samples) return;
    judged.second = {second->synchronisation, *samples};
    judged.synchronisations_disagree = is_contradiction(judged.verdict, samples->judgement.verdict);
}

/// Of the first launch that has looked: heaps of several launches are not judged together.
void add_young_heap(const MeasuredCheck& measured, const judge::Rule& rule, JudgedCheck& judged) {
    const auto& young = measured.problem->young_heap;
    if (young && !judged.young_heap)
        judged.young_heap = judged_apart(*young, measured, rule, other_heap);
}

void judge_alone(const MeasuredCheck& measured, const judge::Rule& rule, JudgedCheck& judged) {
    auto judgement = judge::judge(left_of(measured).samples_s, right_of(measured).samples_s, rule,
                                  seed_of(measured));
    if (judgement.verdict == Verdict::violated) {
        const LaunchRounds launch = rounds_in_launch(measured);
        judged.reason = withdraw_if_order_decides({&launch, 1}, measured, rule, judgement);
        judged.depends_on_order = !judged.reason.empty();
    }
    judged.samples = with_bounds(judgement, rule);
    judged.verdict = judgement.verdict;
    if (judged.verdict == Verdict::undecided && judged.reason.empty())
        judged.reason = reason_for_doubt(*measured.problem, judgement.rounds);
    add_second(measured, rule, judged);
}

}  // namespace

JudgedCheck judged_check(std::span<const MeasuredCheck> launches, const judge::Rule& rule) {
    const MeasuredCheck& first = launches.front();
    JudgedCheck judged;
    judged.guideline = first.check->guideline;
    judged.problem = first.problem->problem.id;
    judged.left = left_of(first).name;
    judged.right = right_of(first).name;
    std::vector<MeasuredCheck> measured;
    std::string reason;
    for (const MeasuredCheck& each : launches) {
        std::string obstacle = reason_for_skip(each);
        if (obstacle.empty()) measured.push_back(each);
        // A wrong result in one launch outweighs all times.
        if (reason.empty() || is_wrong(each)) reason = std::move(obstacle);
        if (is_wrong(each)) measured.clear();
        if (is_wrong(each)) break;
    }
    if (std::ranges::count(launches, false, &MeasuredCheck::is_confirmation) > 1 &&
        measured.size() == 1)
        measured.clear();
    if (measured.empty())
        judged.reason = reason;
    else if (measured.size() == 1)
        judge_alone(measured.front(), rule, judged);
    else
        judge_over(measured, rule, judged);
    for (const MeasuredCheck& each : measured) add_young_heap(each, rule, judged);
    return judged;
}

namespace {

/// A second copy of a contestant, which audits of the suite itself measure, is no other way.
std::string_view name_without_copy(const std::string& name) {
    return std::string_view(name).substr(0, name.find('#'));
}

/// The places of those to which guidelines lead from `left` and which were faster, the fastest
/// first. \param steps as of steps_to()
std::vector<std::size_t> faster_ways(const ReportedProblem& problem, const ReportedContestant& left,
                                     std::span<const int> steps, judge::Criterion criterion) {
    const auto time_s = [&](std::size_t way) {
        return compared(*problem.contestants[way].statistics, criterion);
    };
    std::vector<std::size_t> ways;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const ReportedContestant& each = problem.contestants[i];
        if (steps[i] == 0 || !each.statistics || each.wrong || !is_offered_as_replacement(each) ||
            name_without_copy(each.name) == name_without_copy(left.name) ||
            !record::scale_of(each.name).is_whole())
            continue;
        // A clock that coarse has been warned of.
        if (time_s(i) > 0 && time_s(i) < compared(*left.statistics, criterion)) ways.push_back(i);
    }
    std::ranges::stable_sort(ways, {}, time_s);
    return ways;
}

/// By how much the way has been shown to be faster than the left side of the check, as its right
/// side has been: where that is this way, the answer is the verdict itself.
std::optional<double> shown_factor(std::span<const MeasuredCheck> launches, const judge::Rule& rule,
                                   const ReportedContestant& way) {
    std::vector<record::Check> checks;
    std::vector<MeasuredCheck> measured;
    checks.reserve(launches.size());
    for (const MeasuredCheck& each : launches) {
        const auto& contestants = each.problem->contestants;
        const auto found = std::ranges::find_if(contestants, [&](const record::Contestant& one) {
            return one.name == way.name && is_between_same_layouts(one, way);
        });
        if (found == contestants.end()) continue;
        checks.push_back(*each.check);
        checks.back().right = static_cast<std::size_t>(found - contestants.begin());
        measured.push_back(each);
        measured.back().check = &checks.back();
    }
    if (measured.empty()) return std::nullopt;
    const JudgedCheck check = judged_check(measured, rule);
    if (check.verdict != judge::Verdict::violated) return std::nullopt;
    return check.samples->judgement.factor;
}

}  // namespace

std::vector<int> steps_to(const record::ProblemRecord& problem, std::size_t left) {
    std::vector<int> steps(problem.contestants.size());
    for (int next = 1, found = 1; found > 0; ++next) {
        found = 0;
        for (const record::Check& check : problem.checks) {
            const bool begins = next == 1 ? check.left == left : steps[check.left] == next - 1;
            if (!begins || steps[check.right] > 0 || check.right == left) continue;
            steps[check.right] = next;
            ++found;
        }
    }
    return steps;
}

std::optional<Remedy> find_remedy(std::span<const MeasuredCheck> launches, const judge::Rule& rule,
                                  const ReportedProblem& problem, const record::Header& header) {
    const ReportedContestant& left = problem.contestants[launches.front().check->left];
    if (!left.statistics || !record::scale_of(left.name).is_whole()) return std::nullopt;
    const auto time_s = [&](const ReportedContestant& contestant) {
        return compared(*contestant.statistics, rule.criterion);
    };
    const MeasuredCheck& first = launches.front();
    const std::vector<int> steps = steps_to(*first.problem, first.check->left);
    const std::vector<std::size_t> ways = faster_ways(problem, left, steps, rule.criterion);
    std::optional<Remedy> best;
    int best_steps = 0;
    for (const std::size_t i : ways) {
        const ReportedContestant& way = problem.contestants[i];
        if (time_s(way) > negligible * time_s(problem.contestants[ways.front()])) break;
        if (best && steps[i] > best_steps) continue;
        const std::optional<double> factor = shown_factor(launches, rule, way);
        if (!factor || (best && steps[i] == best_steps && *factor <= best->factor)) continue;
        best_steps = steps[i];
        // Of the factor, which is of pairs of samples, not of two medians.
        best = Remedy{way.name, *factor, time_s(left) * (1.0 - 1.0 / *factor),
                      pasted_code(way, header.implementations)};
    }
    return best;
}

}  // namespace mpiaudit
