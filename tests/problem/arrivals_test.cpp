// SPDX-License-Identifier: BSD-3-Clause
#include "problem/arrivals.h"

#include <gmock/gmock.h>

#include <stdexcept>

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::DoubleEq;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::Lt;

constexpr double own_s = 8e-6;

/// Of every rank in one round, four of them on two hosts.
std::vector<double> delays_in_round(const std::string& text, int round, double time_s = own_s) {
    const ArrivalPattern pattern{arrival_formula(text), {0, 0, 1, 1}, 2};
    std::vector<double> delays_s;
    for (int rank = 0; rank < 4; ++rank)
        delays_s.push_back(arrival_delays(pattern, rank, 2, time_s, 1, round, 1).front());
    return delays_s;
}

std::string error_of(const std::string& text) {
    try {
        arrival_formula(text);
        return "";
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

TEST(Arrivals, PatternsAreSharesOfTheCollectivesTime) {
    EXPECT_THAT(delays_in_round(all_together, 0), Each(0.0));
    EXPECT_THAT(delays_in_round("sorted", 0), ElementsAre(0, 2e-6, 4e-6, 6e-6));
    EXPECT_THAT(delays_in_round("reversed", 0), ElementsAre(6e-6, 4e-6, 2e-6, 0));
    EXPECT_THAT(delays_in_round("one-late", 0), ElementsAre(0, 0, 0, 8e-6));
    EXPECT_THAT(delays_in_round("host-late", 0), ElementsAre(0, 0, 8e-6, 8e-6));
    EXPECT_THAT(delays_in_round("i == root ? 5 : 0", 0), ElementsAre(0, 0, DoubleEq(5e-6), 0));
}

TEST(Arrivals, RandomOnesAreDrawnForEveryRankAndRound) {
    const std::vector<double> first = delays_in_round("random", 0);
    EXPECT_THAT(first, Each(AllOf(Ge(0.0), Lt(own_s))));
    EXPECT_NE(first[0], first[1]);
    EXPECT_NE(first, delays_in_round("random", 1));
    // A batch has what its rounds have one by one.
    const ArrivalPattern pattern{arrival_formula("random"), {0, 0, 1, 1}, 2};
    EXPECT_EQ(
        arrival_delays(pattern, 3, 2, own_s, 1, 5, 2),
        (std::vector<double>{delays_in_round("random", 5)[3], delays_in_round("random", 6)[3]}));
}

TEST(Arrivals, NobodyWaitsLongerThanASecond) {
    EXPECT_THAT(delays_in_round("t", 0, 1e9), Each(1.0));
    // What the check of the formula has not seen.
    EXPECT_THAT(delays_in_round("t > 1 ? -t : t", 0), Each(0.0));
}

TEST(Arrivals, AWrongFormulaIsRefused) {
    EXPECT_EQ(error_of("t * u"), "");
    EXPECT_THAT(error_of("sorte"), HasSubstr("unknown name 'sorte'"));
    EXPECT_THAT(error_of("i - 1"), HasSubstr("rank 0 of 8 would come -1 us after the start"));
    EXPECT_THAT(error_of("1 / i"), HasSubstr("would come inf us"));
}

}  // namespace
}  // namespace mpiaudit
