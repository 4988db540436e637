// SPDX-License-Identifier: BSD-3-Clause
#include "report/order_of_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace mpiaudit {
namespace {

/// One timed call of a round.
struct TimedCall {
    double time_s;
    int before;  ///< contestant that ran before; -1 if not known
};

/// Returns the timed call of a contestant in one round, and removes its sample from `samples_s`.
/// Returns nullopt if the contestant was not in the round, or has no samples left.
/// \param samples_s the samples of the contestant that no earlier round has taken
std::optional<TimedCall> timed_call(const std::vector<int>& order, std::size_t contestant,
                                    std::span<const double>& samples_s) {
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i] != static_cast<int>(contestant)) continue;
        // The first of two calls in a row has no sample.
        if (i + 1 < order.size() && order[i + 1] == order[i]) continue;
        // A contestant that was wrong in another launch has no samples left.
        if (samples_s.empty()) return std::nullopt;
        const TimedCall call{samples_s.front(), i > 0 ? order[i - 1] : -1};
        samples_s = samples_s.subspan(1);
        return call;
    }
    return std::nullopt;
}

std::string said_of(const judge::OrderEffect& effect, const std::string& left,
                    const std::string& right) {
    return fmt::format("{} is {} only after {}, not after itself",
                       effect.is_of_right ? right : left, effect.is_of_right ? "faster" : "slower",
                       effect.predecessor.value_or("other operations"));
}

}  // namespace

RecordedRounds recorded_rounds(const record::ProblemRecord& problem) {
    RecordedRounds rounds{problem.contestants, problem.order, {}};
    for (const record::Contestant& each : problem.contestants)
        rounds.samples_s.emplace_back(each.samples_s);
    return rounds;
}

RecordedRounds recorded_rounds(const record::ProblemRecord& problem,
                               const record::MoreRounds& more) {
    RecordedRounds rounds{problem.contestants, more.order, {}};
    for (const std::vector<double>& each : more.samples_s) rounds.samples_s.emplace_back(each);
    return rounds;
}

std::vector<judge::OrderedRound> rounds_of_check(const RecordedRounds& rounds,
                                                 const record::Check& check) {
    std::vector<judge::OrderedRound> of_check;
    if (std::max(check.left, check.right) >= rounds.samples_s.size()) return of_check;
    std::span<const double> left_s = rounds.samples_s[check.left];
    std::span<const double> right_s = rounds.samples_s[check.right];
    const auto name_of = [&](int contestant) -> std::string_view {
        if (contestant < 0) return {};
        // A second copy of a contestant makes the same call.
        const auto& called = rounds.contestants[static_cast<std::size_t>(contestant)];
        return std::ranges::find_if(
                   rounds.contestants,
                   [&](const auto& each) { return each.name.way().is_copy_of(called.name.way()); })
            ->name;
    };
    for (const std::vector<int>& order : rounds.order) {
        const auto left = timed_call(order, check.left, left_s);
        const auto right = timed_call(order, check.right, right_s);
        if (!left || !right) continue;
        const bool is_repeat = left->before == static_cast<int>(check.left) &&
                               right->before == static_cast<int>(check.right);
        of_check.push_back({left->time_s, right->time_s, name_of(left->before),
                            name_of(right->before), is_repeat});
    }
    return of_check;
}

std::optional<Reason> dependence_on_order(std::span<const LaunchRounds> launches,
                                          const judge::Rule& rule, const std::string& left,
                                          const std::string& right) {
    if (rule.criterion != judge::Criterion::evidence || rule.deterministic) return std::nullopt;
    std::vector<judge::OrderProcess> processes;
    std::vector<judge::OrderedRound> all;
    for (const LaunchRounds& launch : launches) {
        judge::OrderProcess& process = processes.emplace_back(rule, launch.coin_seed);
        for (const judge::OrderedRound& each : launch.rounds)
            process.add(each.left_s, each.right_s, each.is_repeat);
        all.insert(all.end(), launch.rounds.begin(), launch.rounds.end());
    }
    if (!judge::depends_on_order(processes)) return std::nullopt;
    return Reason{ReasonKind::order_of_calls,
                  said_of(judge::find_order_effect(all, rule.tolerance), left, right)};
}

}  // namespace mpiaudit
