// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "catalogue/catalogue.h"
#include "measure/measurement.h"
#include "measure/open_checks.h"

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
    // Rounds that took longer leave fewer rounds. A disturbed round says nothing about later
    // rounds.
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

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

/// Contestants with given seconds per round, checks of neighbouring pairs, and a clock of the test.
class AffordableTest : public testing::Test {
  protected:
    void plan(std::vector<double> seconds) {
        seconds_ = std::move(seconds);
        for (std::size_t i = 0; i < seconds_.size(); ++i) {
            const Path path{"path", {{&catalogue().front(), false, false}}, {}};
            planned_.contestants.push_back({"path", path, 0, {}});
            prepared_.calls.emplace_back([] {});
            prepared_.wrong.emplace_back();
            if (i % 2 == 1) planned_.checks.push_back({0, i - 1, i});
        }
    }
    std::vector<double> costs(double limit_s, const std::vector<char>& is_wanted = {}) {
        return costs_in_turns(
            planned_, prepared_, is_wanted,
            [&](std::size_t contestant) {
                now_s_ += seconds_[contestant];
                called_.push_back(contestant);
                return seconds_[contestant];
            },
            [&] { return now_s_ > limit_s; });
    }

    std::vector<double> seconds_;
    PlannedProblem planned_;
    Prepared prepared_;
    double now_s_ = 0.0;
    std::vector<std::size_t> called_;
};

TEST_F(AffordableTest, OneRoundOfAllMayTakeLongerThanTheLimit) {
    plan(std::vector<double>(100, 1.0));
    const std::vector<double> costs_s = costs(10.0);
    // A call that began within the limit may end after it.
    EXPECT_EQ(now_s_, 11.0);
    EXPECT_EQ(std::ranges::count_if(costs_s, [](double each) { return std::isfinite(each); }), 11);
    EXPECT_THAT(affordable_checks(planned_, prepared_, costs_s, 29.0), Each(0));
}

TEST_F(AffordableTest, WhatWasNotCalledIsNotMeasured) {
    plan({0.1, 0.1, 30.0, 0.1, 0.1, 0.1});
    const std::vector<double> costs_s = costs(10.0);
    EXPECT_THAT(called_, ElementsAre(0, 1, 2));
    EXPECT_THAT(affordable_checks(planned_, prepared_, costs_s, 100.0), ElementsAre(1, 0, 0));
}

TEST_F(AffordableTest, EachIsCalledOnce) {
    plan({1.0, 2.0});
    planned_.checks.push_back({1, 1, 0});
    EXPECT_THAT(costs(10.0), ElementsAre(1.0, 2.0));
    EXPECT_THAT(called_, ElementsAre(0, 1));
}

TEST_F(AffordableTest, WhatIsClearNeedsFewerRounds) {
    // 18, 25 and 35 rounds of 5 s together.
    for (const auto& [left_s, rounds] : {std::pair{1.0, 18.0}, {4.0, 25.0}, {2.5, 35.0}}) {
        planned_ = {}, prepared_ = {};
        plan({left_s, 5.0 - left_s});
        EXPECT_THAT(affordable_checks(planned_, prepared_, seconds_, 5.0 * rounds), Each(1));
        EXPECT_THAT(affordable_checks(planned_, prepared_, seconds_, 5.0 * rounds - 1), Each(0));
    }
}

TEST_F(AffordableTest, WhatCannotRunOrIsNotWantedIsNotCalled) {
    plan({1.0, 1.0, 1.0, 1.0});
    prepared_.wrong[1] = Fault{{}, "wrong"};
    costs(10.0, {1, 0});
    EXPECT_THAT(called_, IsEmpty());
}

}  // namespace
}  // namespace mpiaudit
