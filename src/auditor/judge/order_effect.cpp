// SPDX-License-Identifier: BSD-3-Clause
#include "judge/order_effect.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "judge/statistics.h"

namespace mpiaudit::judge {
namespace {

// 7 rounds that agree reach 1 / alpha for alpha = 5 %.
constexpr std::size_t least_repeats = 7;
constexpr double order_level = 0.01;          // of the rank-sum test
constexpr std::size_t least_calls_after = 3;  // to judge a predecessor

Rule of_one_check(Rule rule) {
    rule.checks = 1;
    return rule;
}

double ratio_in_round(double left_s, double right_s) {
    return left_s == right_s ? 1.0 : left_s / right_s;
}

/// Returns the change of one side after each predecessor with enough calls behind it, relative to
/// the repeat rounds: above 1 if the change makes the check look violated.
std::map<std::string_view, double> changes_after(std::span<const OrderedRound> rounds,
                                                 bool is_right) {
    std::vector<double> repeated_s;
    std::map<std::string_view, std::vector<double>> after_s;
    for (const OrderedRound& each : rounds) {
        const double time_s = is_right ? each.right_s : each.left_s;
        const std::string_view before = is_right ? each.before_right : each.before_left;
        if (each.is_repeat)
            repeated_s.push_back(time_s);
        else if (!before.empty())
            after_s[before].push_back(time_s);
    }
    if (repeated_s.empty()) throw std::invalid_argument("an effect of order needs repeat rounds");
    const double usual_s = median(repeated_s);
    std::map<std::string_view, double> changes;
    for (const auto& [before, times_s] : after_s) {
        if (times_s.size() < least_calls_after) continue;
        const double changed_s = median(times_s);
        changes[before] =
            is_right ? ratio_in_round(usual_s, changed_s) : ratio_in_round(changed_s, usual_s);
    }
    return changes;
}

double largest_of(const std::map<std::string_view, double>& changes) {
    double largest = 0.0;
    for (const auto& [before, change] : changes) largest = std::max(largest, change);
    return largest;
}

}  // namespace

OrderProcess::OrderProcess(const Rule& rule, std::uint64_t coin_seed)
    : repeats_(of_one_check(rule), coin_seed), boundary_(-std::log(rule.alpha)) {}

void OrderProcess::add(double left_s, double right_s, bool is_repeat) {
    if (is_repeat) repeats_.add(left_s, right_s);
    (is_repeat ? repeated_ : mixed_).push_back(ratio_in_round(left_s, right_s));
}

bool OrderProcess::is_clear() const {
    if (repeats_.verdict() != Verdict::undecided) return true;
    return repeated_.size() >= least_repeats && !depends_on_order(std::span(this, 1));
}

int OrderProcess::repeats_until_clear() const {
    if (repeated_.size() < least_repeats) return static_cast<int>(least_repeats - repeated_.size());
    // A single round can change the rank-sum test, but testing after every round costs too much.
    constexpr int rounds_between_tests = 8;
    return std::min(repeats_.earliest_decision() - repeats_.rounds(), rounds_between_tests);
}

bool OrderProcess::has_prospects(int further) const {
    return repeats_.has_prospects(repeats_.rounds() + std::max(further, 0));
}

bool depends_on_order(std::span<const OrderProcess> launches) {
    double log_e_violated = 0.0, log_e_holds = 0.0, boundary = 0.0;
    std::vector<double> repeated, mixed;
    for (const OrderProcess& each : launches) {
        log_e_violated += each.repeats_.log_e_violated();
        log_e_holds += each.repeats_.log_e_holds();
        boundary = each.boundary_;
        repeated.insert(repeated.end(), each.repeated_.begin(), each.repeated_.end());
        mixed.insert(mixed.end(), each.mixed_.begin(), each.mixed_.end());
    }
    if (repeated.empty() || log_e_violated >= boundary) return false;
    if (log_e_holds >= boundary) return true;
    if (repeated.size() >= least_repeats && log_e_violated < 0.0) return true;
    return !mixed.empty() && rank_sum_p_value(mixed, repeated) <= order_level;
}

OrderEffect find_order_effect(std::span<const OrderedRound> rounds, double tolerance) {
    const auto of_left = changes_after(rounds, false), of_right = changes_after(rounds, true);
    const bool is_of_right = largest_of(of_right) > largest_of(of_left);
    const auto& changes = is_of_right ? of_right : of_left;
    std::vector<std::string_view> causes;
    for (const auto& [before, change] : changes) {
        if (change > 1.0 + tolerance) causes.push_back(before);
    }
    if (causes.size() != 1) return {is_of_right, std::nullopt};
    return {is_of_right, causes.front()};
}

}  // namespace mpiaudit::judge
