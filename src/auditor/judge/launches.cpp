// SPDX-License-Identifier: BSD-3-Clause
#include "judge/verdict.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "judge/statistics.h"

namespace mpiaudit::judge {
namespace {

constexpr std::size_t launches_for_wilcoxon = 3;

void append(std::vector<double>& all, const std::vector<double>& some) {
    all.insert(all.end(), some.begin(), some.end());
}

bool has(const std::vector<Judgement>& launches, Verdict verdict) {
    return std::ranges::find(launches, verdict, &Judgement::verdict) != launches.end();
}

/// Where all launches say the same, so does this; means over launches of different lengths might
/// not.
double median_of_factors(const std::vector<Judgement>& launches) {
    std::vector<double> factors;
    for (const Judgement& launch : launches) factors.push_back(launch.factor);
    return median(factors);
}

/// PGMPI's rule, and the quotient of the medians of both sides' medians.
void judge_medians(std::span<const LaunchSamples> samples, const Rule& rule, Judgement& joint) {
    std::vector<double> left, right;
    for (const LaunchSamples& launch : samples) {
        left.push_back(median(launch.left_s));
        right.push_back((1.0 + rule.tolerance) * median(launch.right_s));
    }
    joint.factor = (1.0 + rule.tolerance) * median(left) / median(right);
    // With two launches even the clearest order of medians has p = 0.12.
    if (samples.size() < launches_for_wilcoxon) return;
    joint.verdict =
        rank_sum_p_value(left, right) <= rule.alpha ? Verdict::violated : Verdict::holds;
}

/// What the statistics and the evidence of all launches say, without regard to disagreement.
Judgement pooled(std::span<const LaunchSamples> samples, const std::vector<Judgement>& launches,
                 const Rule& rule) {
    std::vector<double> left_s, right_s, ratios;
    for (const LaunchSamples& launch : samples) {
        append(left_s, launch.left_s);
        append(right_s, launch.right_s);
        append(ratios, ratios_of_rounds(launch.left_s, launch.right_s));
    }
    Judgement joint{.left = describe(left_s, rule.outliers),
                    .right = describe(right_s, rule.outliers),
                    .ratio = median_interval(ratios)};
    for (const Judgement& launch : launches) {
        joint.log_e_violated += launch.log_e_violated;
        joint.log_e_holds += launch.log_e_holds;
        joint.rounds += launch.rounds;
        joint.slower += launch.slower;
    }
    joint.factor =
        rule.criterion == Criterion::evidence ? joint.ratio.median : median_of_factors(launches);
    return joint;
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
    Judgement joint = pooled(launches, each, rule);
    if (rule.criterion == Criterion::pgmpi && !rule.deterministic) {
        judge_medians(launches, rule, joint);
        return {joint, std::move(each), false};
    }
    const bool has_evidence = rule.criterion == Criterion::evidence && !rule.deterministic;
    const bool all_speak_for_it =
        has_evidence ? std::ranges::min(each, {}, &Judgement::log_e_violated).log_e_violated >= 0
                     : !has(each, Verdict::holds);
    const bool disagree = has(each, Verdict::violated) && !all_speak_for_it;
    if (disagree) return {joint, std::move(each), disagree};
    const bool is_one_answer = std::ranges::all_of(
        each, [&](const Judgement& one) { return one.verdict == each.front().verdict; });
    if (!has_evidence && is_one_answer) joint.verdict = each.front().verdict;
    if (has_evidence && joint.log_e_holds >= -std::log(rule.alpha)) joint.verdict = Verdict::holds;
    if (has_evidence && all_speak_for_it &&
        joint.log_e_violated >= std::log(rule.checks / rule.alpha))
        joint.verdict = Verdict::violated;
    return {joint, std::move(each), disagree};
}

}  // namespace mpiaudit::judge
