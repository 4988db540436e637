// SPDX-License-Identifier: BSD-3-Clause
#include "judge/tails.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "judge/statistics.h"

namespace mpiaudit::judge {

namespace {

/// A long call takes more than this multiple of the other side's call in the same round.
constexpr double beside_other = 3.0;

}  // namespace

LongCalls long_calls(std::span<const double> left_s, std::span<const double> right_s,
                     const UsualTimes& usual) {
    const double limit_s = long_call * std::max(usual.left_s, usual.right_s);
    const std::size_t rounds = std::min(left_s.size(), right_s.size());
    LongCalls found{.usual = usual, .rounds = static_cast<int>(rounds), .left_long_s = {}};
    const auto is_long = [&](double own_s, double other_s) {
        return own_s > limit_s && own_s > beside_other * other_s;
    };
    for (std::size_t k = 0; k < rounds; ++k) {
        if (is_long(left_s[k], right_s[k])) found.left_long_s.push_back(left_s[k]);
        found.right_long += is_long(right_s[k], left_s[k]);
        found.left_all_s += left_s[k];
    }
    return found;
}

LongCalls long_calls_behind_first(std::span<const double> left_s, std::span<const double> right_s) {
    if (std::min(left_s.size(), right_s.size()) <= rounds_of_usual) return {};
    const auto usual_s = [](std::span<const double> all_s) {
        return median(all_s.first(rounds_of_usual));
    };
    return long_calls(left_s.subspan(rounds_of_usual), right_s.subspan(rounds_of_usual),
                      {usual_s(left_s), usual_s(right_s)});
}

double log_e_of_tail(std::span<const LongCalls> rounds) {
    // A tail has odds of rate / rate of disturbances. With less than 2 a tail is not worth a word;
    // beyond 64 a long call counts hardly more.
    constexpr std::array odds = {2.0, 4.0, 8.0, 16.0, 32.0, 64.0};
    std::array<double, odds.size()> logs{};
    for (const LongCalls& each : rounds) {
        const double both_s = each.usual.left_s + each.usual.right_s;
        const double q = both_s > 0.0 ? std::max(0.5, each.usual.left_s / both_s) : 0.5;
        if (q >= 1.0) continue;
        for (std::size_t i = 0; i < odds.size(); ++i) {
            const double sum = odds[i] * q + 1.0 - q;
            logs[i] += static_cast<double>(each.left_long_s.size()) * std::log(odds[i] / sum) -
                       each.right_long * std::log(sum);
        }
    }
    const double largest = std::ranges::max(logs);
    double sum = 0.0;
    for (const double each : logs) sum += std::exp(each - largest);
    return largest + std::log(sum / odds.size());
}

bool TailJudgement::is_found(int checks, double alpha) const {
    constexpr double least_ratio = 3.0, least_share = 0.1;
    return log_e >= std::log(checks / alpha) && long_calls >= least_ratio * other_long_calls &&
           share >= least_share;
}

TailJudgement judge_tail(std::span<const std::vector<LongCalls>> launches) {
    TailJudgement judged;
    std::vector<double> long_s;
    double usual_calls = 0.0, usual_calls_in_long = 0.0, least = 0.0;
    for (const std::vector<LongCalls>& launch : launches) {
        const double log_e = log_e_of_tail(launch);
        judged.log_e += log_e;
        least = std::min(least, log_e);
        for (const LongCalls& each : launch) {
            judged.calls += each.rounds;
            judged.long_calls += static_cast<int>(each.left_long_s.size());
            judged.other_long_calls += each.right_long;
            long_s.insert(long_s.end(), each.left_long_s.begin(), each.left_long_s.end());
            // Zeros come from a coarse clock.
            if (each.usual.left_s <= 0.0) continue;
            usual_calls += each.left_all_s / each.usual.left_s;
            for (const double seconds : each.left_long_s)
                usual_calls_in_long += seconds / each.usual.left_s;
        }
    }
    if (least < 0.0) judged.log_e = least;
    if (usual_calls > 0.0) judged.share = usual_calls_in_long / usual_calls;
    if (!long_s.empty()) judged.long_s = median(long_s);
    return judged;
}

}  // namespace mpiaudit::judge
