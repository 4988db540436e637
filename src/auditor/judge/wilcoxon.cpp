// SPDX-License-Identifier: BSD-3-Clause
#include "judge/wilcoxon.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace mpiaudit::judge {

double rank_sum_p_value(std::span<const double> left, std::span<const double> right) {
    if (left.empty() || right.empty()) throw std::invalid_argument("a rank sum of no numbers");
    std::vector<double> all(left.begin(), left.end());
    all.insert(all.end(), right.begin(), right.end());
    std::ranges::sort(all);
    const auto n = static_cast<double>(left.size()), m = static_cast<double>(right.size());
    double wins = 0.0;  // pairs with a larger left side, ties by half
    for (const double x : left) {
        const auto equal = std::ranges::equal_range(all, x);
        wins += static_cast<double>(equal.begin() - all.begin()) +
                static_cast<double>(equal.size()) / 2;
    }
    // Each of the left ones has met those of its own side as well.
    wins -= n * n / 2;
    double ties = 0.0;
    for (auto at = all.begin(); at != all.end();) {
        const auto next = std::upper_bound(at, all.end(), *at);
        const auto equal = static_cast<double>(next - at);
        ties += equal * equal * equal - equal;
        at = next;
    }
    const double variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)));
    if (variance <= 0) return 1.0;
    const double excess = wins - n * m / 2 - 0.5;
    return std::erfc(excess / std::sqrt(variance) / std::numbers::sqrt2) / 2;
}

}  // namespace mpiaudit::judge
