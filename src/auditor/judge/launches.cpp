// SPDX-License-Identifier: BSD-3-Clause
// Declared in judge/verdict.h.
#include "judge/verdict.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "judge/statistics.h"

namespace mpiaudit::judge {
namespace {

constexpr std::size_t launches_for_wilcoxon = 3;

using Judgements = std::vector<Judgement>;

double median_of(const Judgements& launches, double Judgement::*member) {
    std::vector<double> values;
    for (const Judgement& launch : launches) values.push_back(launch.*member);
    return median(values);
}

Summary side_over(const Judgements& launches, Summary Judgement::*side) {
    std::vector<Summary> all;
    for (const Judgement& launch : launches) all.push_back(launch.*side);
    return over_launches(all);
}

/// Returns the common verdict of all launches by a rule; undecided if they differ.
Verdict common(const Judgements& launches, Verdict RuleVerdicts::*rule) {
    const Verdict first = launches.front().by.*rule;
    const bool is_one_answer = std::ranges::all_of(
        launches, [&](const Judgement& launch) { return launch.by.*rule == first; });
    return is_one_answer ? first : Verdict::undecided;
}

bool has(const Judgements& launches, Verdict RuleVerdicts::*rule, Verdict verdict) {
    return std::ranges::any_of(launches,
                               [&](const Judgement& launch) { return launch.by.*rule == verdict; });
}

/// Applies PGMPI's rule; the factor is the quotient of the medians of both sides' medians.
void judge_medians(const Judgements& launches, const Rule& rule, Judgement& joint) {
    std::vector<double> left, right;
    for (const Judgement& launch : launches) {
        left.push_back(launch.left.median);
        right.push_back((1.0 + rule.tolerance) * launch.right.median);
    }
    joint.factor = (1.0 + rule.tolerance) * median(left) / median(right);
    // The clearest order of two medians each has p = 0.12.
    if (launches.size() < launches_for_wilcoxon) return;
    joint.verdict =
        rank_sum_p_value(left, right) <= rule.alpha ? Verdict::violated : Verdict::holds;
}

/// Combines the numbers of all launches, each launch with the same weight.
Judgement numbers_over(const Judgements& launches, const Rule& rule) {
    std::vector<double> ratios;
    for (const Judgement& launch : launches) ratios.push_back(launch.ratio.median);
    Judgement joint{.left = side_over(launches, &Judgement::left),
                    .right = side_over(launches, &Judgement::right),
                    .ratio = median_interval(ratios),
                    .by = {}};
    for (const Judgement& launch : launches) {
        joint.log_e_violated += launch.log_e_violated;
        joint.log_e_holds += launch.log_e_holds;
        joint.rounds += launch.rounds;
        joint.slower += launch.slower;
    }
    joint.factor = rule.criterion == Criterion::evidence ? joint.ratio.median
                                                         : median_of(launches, &Judgement::factor);
    return joint;
}

bool all_speak_for_a_violation(const Judgements& launches) {
    return std::ranges::min(launches, {}, &Judgement::log_e_violated).log_e_violated >= 0;
}

/// Returns true if one launch says violated and another launch contradicts.
bool disagree(const Judgements& launches, Verdict RuleVerdicts::*rule, bool is_evidence) {
    if (!has(launches, rule, Verdict::violated)) return false;
    return is_evidence ? !all_speak_for_a_violation(launches) : has(launches, rule, Verdict::holds);
}

/// Judges the evidence of all launches together; a violation needs each launch to speak for it.
void judge_evidence(const Judgements& launches, const Rule& rule, Judgement& joint) {
    Verdict& verdict = joint.by.evidence;
    if (rule.deterministic) {
        verdict = common(launches, &RuleVerdicts::evidence);
        return;
    }
    if (disagree(launches, &RuleVerdicts::evidence, true)) return;
    if (joint.log_e_holds >= -std::log(rule.alpha)) verdict = Verdict::holds;
    if (all_speak_for_a_violation(launches) &&
        joint.log_e_violated >= std::log(rule.checks / rule.alpha))
        verdict = Verdict::violated;
    joint.is_withdrawn = is_contradicted(verdict, joint, rule.tolerance);
    if (joint.is_withdrawn) verdict = Verdict::undecided;
}

/// Rules without a bound on errors need the same verdict from all launches.
void judge_statistics(const Judgements& launches, Judgement& joint) {
    joint.by.averages = common(launches, &RuleVerdicts::averages);
    joint.by.filtered_means = common(launches, &RuleVerdicts::filtered_means);
    joint.by.minima = common(launches, &RuleVerdicts::minima);
}

}  // namespace

JointJudgement judge_launches(std::span<const LaunchSamples> launches, const Rule& rule) {
    if (launches.empty()) throw std::invalid_argument("a judgement of no launches");
    std::vector<Judgement> each;
    for (const LaunchSamples& launch : launches) {
        Rule own = rule;
        own.checks = launch.checks;
        each.push_back(judge(launch.left_s, launch.right_s, own, launch.coin_seed));
    }
    Judgement joint = numbers_over(each, rule);
    judge_evidence(each, rule, joint);
    judge_statistics(each, joint);
    if (rule.criterion == Criterion::pgmpi && !rule.deterministic) {
        judge_medians(each, rule, joint);
        return {joint, std::move(each), false};
    }
    if (rule.criterion == Criterion::evidence) {
        joint.verdict = joint.by.evidence;
        const bool is_evidence = !rule.deterministic;
        const bool differ = disagree(each, &RuleVerdicts::evidence, is_evidence);
        return {joint, std::move(each), differ};
    }
    const auto says = [&](Verdict verdict) {
        return std::ranges::find(each, verdict, &Judgement::verdict) != each.end();
    };
    const bool differ = says(Verdict::violated) && says(Verdict::holds);
    const bool is_one_answer = std::ranges::all_of(
        each, [&](const Judgement& one) { return one.verdict == each.front().verdict; });
    if (is_one_answer) joint.verdict = each.front().verdict;
    return {joint, std::move(each), differ};
}

}  // namespace mpiaudit::judge
