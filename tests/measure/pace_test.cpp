// SPDX-License-Identifier: BSD-3-Clause
#include "measure/open_checks.h"

#include <gtest/gtest.h>

#include <limits>

namespace mpiaudit {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double microsecond = 1e-6;

TEST(Pace, LooksWhenSomethingCanBeDecided) {
    Pace pace(400, 0.0, unlimited);
    pace.expect_round(microsecond);
    EXPECT_EQ(pace.next_batch(7), 7);
    pace.add(7, 7 * microsecond);
    EXPECT_EQ(pace.next_batch(60), 53);
    // A look takes as long as ten of these rounds: not after each, and the later the less often.
    EXPECT_EQ(pace.next_batch(8), 11);  // sqrt(2 * 7 * 10)
    pace.add(73, 73 * microsecond);
    EXPECT_EQ(pace.next_batch(81), 40);  // sqrt(2 * 80 * 10)
}

TEST(Pace, LooksAtLongerRoundsWheneverSomethingCanBeDecided) {
    Pace pace(400, 0.0, unlimited);
    pace.add(80, 80 * 500 * microsecond);
    EXPECT_EQ(pace.next_batch(81), 1);
    EXPECT_EQ(pace.next_batch(83), 3);
}

TEST(Pace, WithoutAStoppingRuleAllRoundsAreOneBatch) {
    Pace pace(300, 0.0, unlimited);
    pace.expect_round(microsecond);
    EXPECT_EQ(pace.next_batch({}), 300);
}

TEST(Pace, LongRoundsAreLookedAtOneByOne) {
    Pace pace(400, 0.0, unlimited);
    EXPECT_EQ(pace.next_batch(7), 1);  // nobody knows yet
    pace.add(1, 0.04);
    EXPECT_EQ(pace.next_batch(7), 2);
    pace.add(2, 2.0);
    EXPECT_EQ(pace.next_batch(7), 1);
}

TEST(Pace, ShortRoundsMayBeThousands) {
    Pace pace(400, 0.001, unlimited);
    pace.add(100, 100 * microsecond);
    EXPECT_EQ(pace.last(), 400 + 4 * 1000) << "of four contestants one is left in round 400";
    pace.add(300, 300 * microsecond);
    EXPECT_EQ(pace.last(), 1400) << "the first ones may take any time";
    // What has taken longer leaves fewer. That it was disturbed says nothing of those to come.
    pace.add(200, 500 * microsecond);
    EXPECT_EQ(pace.last(), 600 + 500);
    pace.add(100, 600 * microsecond);
    EXPECT_EQ(pace.last(), 700);
    EXPECT_EQ(pace.next_batch(701), 0);
}

TEST(Pace, RoundsThatAreDroppedAreStillToBeRun) {
    Pace pace(10, 0.0, unlimited);
    pace.add(4, 4 * microsecond, 3);
    EXPECT_EQ(pace.done(), 1);
    EXPECT_EQ(pace.next_batch({}), 9);
    pace.add(9, 9 * microsecond);
    EXPECT_EQ(pace.next_batch({}), 0);
}

TEST(Pace, HasAnEnd) {
    Pace pace(400, 3600.0, unlimited);
    pace.expect_round(microsecond);
    EXPECT_EQ(pace.last(), 16000);
    Pace asked(20000, 3600.0, unlimited);
    asked.expect_round(microsecond);
    EXPECT_EQ(asked.last(), 20000);
}

TEST(Pace, AnotherRoundFitsIntoTheLimit) {
    Pace pace(400, 0.0, 1.0);
    pace.add(2, 0.5);
    EXPECT_TRUE(pace.fits_another_round(0.75));
    EXPECT_FALSE(pace.fits_another_round(0.76));
}

}  // namespace
}  // namespace mpiaudit
