// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "timing/rounds.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

using Order = std::vector<int>;

TEST(RoundOrder, IsAPermutationOfTheActiveContestants) {
    const Order active{1, 4, 5, 9, 30};
    for (int round = -5; round < 100; ++round)
        EXPECT_THAT(round_order(active, 7, round), UnorderedElementsAreArray(active));
    EXPECT_THAT(round_order(Order{3}, 7, 0), ElementsAre(3));
    EXPECT_THAT(round_order(Order{}, 7, 0), IsEmpty());
}

TEST(RoundOrder, DependsOnSeedAndRoundOnly) {
    Order active(20);
    std::iota(active.begin(), active.end(), 0);
    const Order order = round_order(active, 1, 0);
    EXPECT_EQ(round_order(active, 1, 0), order);
    EXPECT_NE(round_order(active, 2, 0), order);
    EXPECT_NE(round_order(active, 1, 1), order);
    EXPECT_NE(round_order(active, 1, -1), order);
}

/// Recorded seeds must keep their meaning: these orders were computed by another program.
TEST(RoundOrder, StaysTheSameInLaterVersions) {
    const Order active{0, 1, 2, 3, 4, 5};
    EXPECT_THAT(round_order(active, 42, 0), ElementsAre(0, 1, 4, 5, 3, 2));
    EXPECT_THAT(round_order(active, 42, 1), ElementsAre(0, 4, 5, 3, 1, 2));
}

/// Pearson's statistic of how often each of the 24 orders of four contestants came.
template <class MakeOrder>
double chi_square(int draws, MakeOrder make_order) {
    constexpr int orders = 24;
    std::map<Order, int> times;
    for (int k = 0; k < draws; ++k) ++times[make_order(k)];
    const double expected = static_cast<double>(draws) / orders;
    double sum = (orders - static_cast<double>(times.size())) * expected;
    for (const auto& [order, count] : times)
        sum += (count - expected) * (count - expected) / expected;
    return sum;
}

// The 99.9 % quantile of the chi-square distribution with 23 degrees of freedom. The seeds are
// fixed: the tests pass or fail, always.
constexpr double bound = 49.73;

TEST(RoundOrder, IsUniformOverTheRoundsOfAnAudit) {
    const Order active{0, 1, 2, 3};
    EXPECT_LT(chi_square(24000, [&](int round) { return round_order(active, 12345, round); }),
              bound);
}

TEST(RoundOrder, IsUniformOverTheSeeds) {
    const Order active{0, 1, 2, 3};
    const auto first_round = [&](int seed) {
        return round_order(active, static_cast<std::uint64_t>(seed), 0);
    };
    EXPECT_LT(chi_square(24000, first_round), bound);
}

TEST(RoundOrder, ConsecutiveRoundsAreIndependent) {
    const Order active{0, 1, 2, 3};
    // The order relative to the one of the round before is uniform, too.
    const auto relative = [&](int round) {
        const Order before = round_order(active, 99, round);
        const Order now = round_order(active, 99, round + 1);
        Order moved;
        for (const int contestant : now)
            moved.push_back(
                static_cast<int>(std::ranges::find(before, contestant) - before.begin()));
        return moved;
    };
    EXPECT_LT(chi_square(24000, relative), bound);
}

}  // namespace
}  // namespace mpiaudit
