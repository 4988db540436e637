// SPDX-License-Identifier: BSD-3-Clause
#include "report/judged_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "code/paste.h"
#include "judge/verdict.h"
#include "random/random_bits.h"
#include "report/findings.h"
#include "report/order_of_calls.h"

namespace mpiaudit {
namespace {

using judge::Verdict;

const record::Contestant& left_of(const MeasuredCheck& measured) {
    return measured.problem->contestants[measured.check->left];
}

const record::Contestant& right_of(const MeasuredCheck& measured) {
    return measured.problem->contestants[measured.check->right];
}

/// Returns whether the reason names the first call of a way, so that the way need not be named.
bool names_first_call(const std::string& words, const Way& way) {
    return way.scale.repeats == 1 && words.starts_with(way.terms.front().form.name());
}

/// Returns the reason why a check has no samples; nullopt if it has samples.
std::optional<Reason> reason_for_skip(const MeasuredCheck& measured) {
    for (const record::Contestant* each : {&left_of(measured), &right_of(measured)}) {
        if (each->wrong) return Reason{ReasonKind::wrong, each->wrong->text, {}, each->name};
        if (!each->skipped) continue;
        Reason reason = *each->skipped;
        if (reason.kind != ReasonKind::no_time &&
            !names_first_call(in_words(reason), each->name.way()))
            reason.subject = each->name;
        return reason;
    }
    const bool has_samples =
        !left_of(measured).samples_s.empty() && !right_of(measured).samples_s.empty();
    if (has_samples) return std::nullopt;
    std::optional<Reason> late;
    if (const auto& window = measured.problem->window) late = reason_without_rounds(*window);
    return late.value_or(Reason{ReasonKind::no_time});
}

bool is_wrong(const MeasuredCheck& measured) {
    return left_of(measured).wrong || right_of(measured).wrong;
}

/// The evidence decided, and the numbers of all rounds contradict the verdict.
Reason reason_for_withdrawal(const judge::Judgement& judgement) {
    const bool was_violated = judgement.log_e_violated > judgement.log_e_holds;
    return {ReasonKind::contradicted,
            "",
            {was_violated ? 1.0 : 0.0, judgement.decided_at * 1.0, judgement.rounds * 1.0,
             judgement.ratio.median, judgement.left.median, judgement.right.median}};
}

Reason reason_for_doubt(const record::ProblemRecord& problem, int rounds) {
    // A contestant that left the rounds early has fewer rounds than the problem.
    const bool is_budget = problem.stopped == record::Stopped::budget &&
                           static_cast<std::size_t>(rounds) == problem.order.size();
    return {is_budget ? ReasonKind::budget_used : ReasonKind::too_close, "", {rounds * 1.0}};
}

Reason reason_for_doubt(const judge::JointJudgement& judgement,
                        std::span<const MeasuredCheck> launches) {
    if (!judgement.launches_disagree)
        return {ReasonKind::not_clear,
                "",
                {judgement.joint.rounds * 1.0, static_cast<double>(launches.size())}};
    Reason reason{ReasonKind::launches_disagree};
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const judge::Judgement& own = judgement.launches[i];
        for (const double each :
             {launches[i].launch * 1.0, own.factor, own.log_e_violated < 0.0 ? 1.0 : 0.0})
            reason.numbers.push_back(each);
    }
    return reason;
}

JudgedSamples with_bounds(const judge::Judgement& judgement, const judge::Rule& rule) {
    return {judgement, std::log(rule.checks / rule.alpha), std::log(1.0 / rule.alpha),
            rule.is_paired};
}

std::uint64_t seed_of(const MeasuredCheck& measured, std::uint64_t way = 0) {
    return coin_seed(measured.order_seed + way, measured.problem->problem.id,
                     measured.check->guideline);
}

/// Returns true if the check is violated, or was violated when its evidence decided and is
/// withdrawn since: the order of calls can explain both.
bool was_violated(const judge::Judgement& judgement) {
    return judgement.verdict == Verdict::violated ||
           (judgement.is_withdrawn && judgement.log_e_violated > judgement.log_e_holds);
}

/// Makes a violation that depends on the order of calls undecided. Returns the reason; nullopt if
/// the judgement stays.
std::optional<Reason> withdraw_if_order_decides(std::span<const LaunchRounds> launches,
                                                const MeasuredCheck& measured,
                                                const judge::Rule& rule,
                                                judge::Judgement& judgement) {
    if (!was_violated(judgement)) return std::nullopt;
    auto reason =
        dependence_on_order(launches, rule, left_of(measured).name, right_of(measured).name);
    if (reason) judgement.verdict = judgement.by.evidence = Verdict::undecided;
    return reason;
}

LaunchRounds rounds_in_launch(const MeasuredCheck& measured) {
    return {rounds_of_check(recorded_rounds(*measured.problem), *measured.check),
            seed_of(measured)};
}

judge::LaunchSamples samples_of(const MeasuredCheck& measured, const record::Contestant& right) {
    return {left_of(measured).samples_s, right.samples_s, seed_of(measured), measured.checks};
}

/// Judges over all launches, and each launch alone.
void judge_over(std::span<const MeasuredCheck> launches, const judge::Rule& rule,
                JudgedCheck& judged) {
    std::vector<judge::LaunchSamples> samples;
    for (const MeasuredCheck& each : launches) samples.push_back(samples_of(each, right_of(each)));
    judge::JointJudgement judgement = judge_launches(samples, rule);
    std::vector<LaunchRounds> rounds;
    for (const MeasuredCheck& each : launches) rounds.push_back(rounds_in_launch(each));
    for (std::size_t i = 0; i < launches.size(); ++i)
        withdraw_if_order_decides({&rounds[i], 1}, launches[i], rule, judgement.launches[i]);
    judged.reason = withdraw_if_order_decides(rounds, launches.front(), rule, judgement.joint);
    judged.depends_on_order = judged.reason.has_value();
    judged.samples = with_bounds(judgement.joint, rule);
    judged.verdict = judgement.joint.verdict;
    if (judged.verdict == Verdict::undecided && !judged.reason)
        judged.reason = judgement.joint.is_withdrawn ? reason_for_withdrawal(judgement.joint)
                                                     : reason_for_doubt(judgement, launches);
    judged.launches_disagree = judgement.launches_disagree;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        judge::Rule own = rule;
        own.checks = launches[i].checks;
        judged.launches.push_back({launches[i].launch, with_bounds(judgement.launches[i], own)});
    }
}

/// Judges other rounds of the same contestants; nothing if a side has no such rounds.
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

/// Takes the young heap of the first launch that measured one: heaps of several launches are not
/// judged together.
void add_young_heap(const MeasuredCheck& measured, const judge::Rule& rule, JudgedCheck& judged) {
    const auto& young = measured.problem->young_heap;
    if (young && !judged.young_heap)
        judged.young_heap = judged_apart(*young, measured, rule, other_heap);
}

/// Judges a check of a single launch. Withdraws `violated` if the order of the calls decides it.
/// Sets the reason if the verdict is undecided.
void judge_alone(const MeasuredCheck& measured, const judge::Rule& rule, JudgedCheck& judged) {
    auto judgement = judge::judge(left_of(measured).samples_s, right_of(measured).samples_s, rule,
                                  seed_of(measured));
    if (was_violated(judgement)) {
        const LaunchRounds launch = rounds_in_launch(measured);
        judged.reason = withdraw_if_order_decides({&launch, 1}, measured, rule, judgement);
        judged.depends_on_order = judged.reason.has_value();
    }
    judged.samples = with_bounds(judgement, rule);
    judged.verdict = judgement.verdict;
    if (judged.verdict == Verdict::undecided && !judged.reason)
        judged.reason = judgement.is_withdrawn
                            ? reason_for_withdrawal(judgement)
                            : reason_for_doubt(*measured.problem, judgement.rounds);
}

}  // namespace

JudgedCheck judged_check(std::span<const MeasuredCheck> launches, const judge::Rule& rule) {
    const MeasuredCheck& first = launches.front();
    JudgedCheck judged;
    judged.guideline = first.check->guideline;
    judged.problem = first.problem->problem.id;
    judged.left = left_of(first).name;
    judged.right = right_of(first).name;
    judged.from = left_of(first).from;
    judged.to = left_of(first).to;
    std::vector<MeasuredCheck> measured;
    std::optional<Reason> reason;
    for (const MeasuredCheck& each : launches) {
        auto obstacle = reason_for_skip(each);
        if (!obstacle) measured.push_back(each);
        // A wrong result in one launch outweighs all times.
        if (!reason || is_wrong(each)) reason = std::move(obstacle);
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
    judged.lacks_evidence = judged.verdict == Verdict::violated &&
                            judged.samples->judgement.by.evidence != Verdict::violated;
    for (const MeasuredCheck& each : measured) add_young_heap(each, rule, judged);
    return judged;
}

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

namespace {

/// A candidate for a remedy, with the samples of the left side and of this way.
struct Candidate {
    const record::Contestant* contestant;  ///< the contestant in the first launch
    int steps;                             ///< number of guidelines, see steps_to()
    std::vector<judge::LaunchSamples> launches;
    /// for each launch, a check of the left side against this way
    std::vector<record::Check> checks;
    double ratio_in_choice;  ///< left over this way, in the rounds that choose
};

struct Halves {
    judge::LaunchSamples choice, rest;
};

/// The rounds of a launch that choose a remedy, and the other rounds. Of every two consecutive
/// rounds, a coin that is the same in all reports chooses one, so a disturbance of every second
/// round falls on both halves. A single round, as in a simulation, is in both.
Halves halves_of(const judge::LaunchSamples& launch) {
    constexpr std::uint64_t coin = 0x9d2f;
    const std::size_t rounds = std::min(launch.left_s.size(), launch.right_s.size());
    if (rounds < 2) return {launch, launch};
    Halves halves{{{}, {}, launch.coin_seed, launch.checks},
                  {{}, {}, launch.coin_seed, launch.checks}};
    for (std::size_t k = 0; k < rounds; ++k) {
        const bool is_choice = judge::fair_coin(coin, k / 2) == (k % 2 == 1);
        judge::LaunchSamples& half = is_choice ? halves.choice : halves.rest;
        half.left_s.push_back(launch.left_s[k]);
        half.right_s.push_back(launch.right_s[k]);
    }
    return halves;
}

judge::JointJudgement judged_over(std::span<const judge::LaunchSamples> launches,
                                  const judge::Rule& rule) {
    if (launches.size() > 1) return judge_launches(launches, rule);
    const judge::LaunchSamples& only = launches.front();
    return {judge::judge(only.left_s, only.right_s, rule, only.coin_seed), {}, false};
}

/// Returns nothing if a launch has not measured the way or found it wrong.
std::optional<Candidate> candidate_of(std::span<const MeasuredCheck> launches,
                                      const record::Contestant& wanted, int steps,
                                      const judge::Rule& rule) {
    Candidate way{&wanted, steps, {}, {}, 0.0};
    for (const MeasuredCheck& each : launches) {
        const auto& contestants = each.problem->contestants;
        const record::Contestant* const found = same_way_in(contestants, wanted);
        if (found == nullptr || found->wrong || found->samples_s.empty()) return std::nullopt;
        way.launches.push_back(samples_of(each, *found));
        way.checks.push_back(*each.check);
        way.checks.back().right = static_cast<std::size_t>(found - contestants.data());
    }
    const judge::LaunchSamples choice = halves_of(way.launches.front()).choice;
    way.ratio_in_choice =
        rule.is_paired ? judge::median(judge::ratios_of_rounds(choice.left_s, choice.right_s))
                       : judge::median(choice.left_s) / judge::median(choice.right_s);
    return way;
}

/// Returns the ways that may be advised and were faster than the left side in the rounds that
/// choose, fastest first.
std::vector<Candidate> faster_ways(std::span<const MeasuredCheck> launches, const judge::Rule& rule,
                                   const WaySet& wrong) {
    const MeasuredCheck& first = launches.front();
    const record::Contestant& left = left_of(first);
    const std::vector<int> steps = steps_to(*first.problem, first.check->left);
    std::vector<Candidate> ways;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const record::Contestant& each = first.problem->contestants[i];
        if (steps[i] == 0 || !is_offered_as_replacement(each) ||
            each.name.way().is_copy_of(left.name.way()) || !each.name.way().scale.is_whole() ||
            contains(wrong, each))
            continue;
        std::optional<Candidate> way = candidate_of(launches, each, steps[i], rule);
        // A time of 0 comes from a coarse clock; the report warns of such a clock.
        if (way && way->ratio_in_choice > 1.0 && std::isfinite(way->ratio_in_choice))
            ways.push_back(std::move(*way));
    }
    std::ranges::stable_sort(ways, std::ranges::greater{}, &Candidate::ratio_in_choice);
    return ways;
}

/// Returns the judgement on the samples that have not chosen the way.
judge::Judgement estimated(const Candidate& way, const judge::Rule& rule) {
    if (way.launches.size() > 1) return judged_over(std::span(way.launches).subspan(1), rule).joint;
    const judge::LaunchSamples rest =
        rule.deterministic ? way.launches.front() : halves_of(way.launches.front()).rest;
    return judge::judge(rest.left_s, rest.right_s, rule, rest.coin_seed);
}

bool is_faster(const judge::Judgement& estimate, double tolerance) {
    return estimate.ratio.median > 1.0 + tolerance && std::isfinite(estimate.ratio.median) &&
           estimate.left.median > estimate.right.median;
}

bool is_faster_by_order_only(std::span<const MeasuredCheck> launches, const Candidate& way,
                             const judge::Rule& rule) {
    std::vector<LaunchRounds> rounds;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        MeasuredCheck measured = launches[i];
        measured.check = &way.checks[i];
        rounds.push_back(rounds_in_launch(measured));
    }
    return dependence_on_order(rounds, rule, left_of(launches.front()).name, way.contestant->name)
        .has_value();
}

Remedy remedy_of(const Candidate& way, const judge::Judgement& estimate) {
    const double factor = estimate.ratio.median, left_s = estimate.left.median;
    return {.contestant = way.contestant->name,
            .factor = factor,
            .saved_s = left_s * (1.0 - 1.0 / factor),
            .left_s = left_s,
            .instead_s = estimate.right.median,
            .interval = estimate.rounds > 1 ? std::optional(estimate.ratio) : std::nullopt};
}

}  // namespace

std::optional<Remedy> find_remedy(std::span<const MeasuredCheck> launches, const judge::Rule& rule,
                                  const JudgedCheck& judged, const WaySet& wrong) {
    if (judged.lacks_evidence || !judged.left.way().scale.is_whole()) return std::nullopt;
    judge::Rule by_evidence = rule;
    by_evidence.criterion = judge::Criterion::evidence;
    std::vector<MeasuredCheck> measured;
    std::ranges::copy_if(launches, std::back_inserter(measured),
                         [](const MeasuredCheck& each) { return !reason_for_skip(each); });
    std::optional<Remedy> best;
    // A setting needs no change of a program.
    const auto effort = [](const Candidate& way) {
        return std::pair(!way.contestant->forced, way.steps);
    };
    std::pair<bool, int> least_effort;
    double fastest = 0.0;
    for (const Candidate& way : faster_ways(measured, by_evidence, wrong)) {
        if (way.ratio_in_choice * negligible < fastest) break;
        if (best && effort(way) >= least_effort) continue;
        const judge::Judgement estimate = estimated(way, by_evidence);
        const judge::JointJudgement all = judged_over(way.launches, by_evidence);
        // Samples that have not chosen the way refute it.
        if (!is_faster(estimate, rule.tolerance) || all.launches_disagree) continue;
        fastest = std::max(fastest, way.ratio_in_choice);
        if (all.joint.verdict != Verdict::violated) continue;
        if (is_faster_by_order_only(measured, way, by_evidence)) continue;
        best = remedy_of(way, estimate);
        least_effort = effort(way);
    }
    return best;
}

}  // namespace mpiaudit
