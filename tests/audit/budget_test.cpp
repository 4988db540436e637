// SPDX-License-Identifier: BSD-3-Clause
#include "audit/budget.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace mpiaudit {
namespace {

/// A problem that took so long for 2 contestants in so many rounds, and `late` others left out.
/// `in_rounds`: the share of the time that went into rounds, half of it into the calls.
record::ProblemRecord took(double elapsed_s, std::size_t rounds, int late = 0,
                           double in_rounds = 1.0) {
    record::ProblemRecord record;
    record.contestants.resize(2);
    const double round_s = in_rounds * elapsed_s / static_cast<double>(rounds);
    for (auto& each : record.contestants) each.samples_s.assign(rounds, round_s / 4);
    for (int i = 0; i < late; ++i) record.contestants.emplace_back().skipped = record::no_time_left;
    record.order.assign(rounds, {0, 1});
    record.elapsed_s = elapsed_s;
    return record;
}

TEST(Budget, WithoutOneThereIsNoLimit) {
    const Budget budget({1.0, 1.0}, std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isinf(budget.limit_s(0, 1e9)));
}

TEST(Budget, TheFirstProblemMayTakeAThird) {
    const Budget budget({1.0, 1.0, 1.0, 1.0}, 40.0);
    EXPECT_EQ(budget.limit_s(0, 0.0), 40.0 / 3);
    EXPECT_EQ(Budget({1.0, 1.0}, 40.0).limit_s(0, 0.0), 20.0);
    EXPECT_EQ(Budget({1.0}, 40.0).limit_s(0, 0.0), 40.0);
}

TEST(Budget, WhereMoreIsToComeEachGetsWhatItNeedsAndHalfOfItsShare) {
    Budget budget(std::vector<double>(8, 1.0), 48.0, {}, true);
    EXPECT_EQ(budget.limit_s(0, 0.0), 8.0);         // a sixth
    EXPECT_EQ(budget.part_of_needed(0, 8.0), 0.0);  // not known
    budget.measured(0, took(2.0, 35));
    EXPECT_EQ(budget.limit_s(1, 2.0), 46.0 / 7 / 2);
    EXPECT_EQ(budget.part_of_needed(1, 1.5), 0.75);
    EXPECT_EQ(budget.limit_s(1, 36.0), 2.0);              // a sixth of 12; needed are 1.5 times 2
    EXPECT_NEAR(budget.limit_s(1, 47.4), 0.6 / 6, 1e-9);  // none is left out
}

TEST(Budget, ProblemsThatNeedLessLeaveTheirShareToOthers) {
    Budget budget({1.0, 1.0, 1.0, 1.0}, 40.0);
    budget.measured(0, took(1.0, 10));
    EXPECT_EQ(budget.limit_s(1, 1.0), 13.0);  // a third of 39
}

TEST(Budget, AProblemGetsWhatItNeedsToBeMeasuredWellAtMostAThird) {
    Budget budget({1.0, 4.0, 1.0, 1.0, 1.0}, 100.0);
    // Of 97 rounds 35 are enough.
    budget.measured(0, took(10.0, 97));
    EXPECT_NEAR(budget.limit_s(2, 85.0), 10.0 * 35 / 97, 1e-9);
    // Never more than a third of what is left, or its share, where that is more: four parts of
    // seven.
    EXPECT_NEAR(budget.limit_s(1, 74.0), 26.0 * 4 / 7, 1e-9);
    EXPECT_NEAR(budget.limit_s(3, 96.0), 4.0 / 3, 1e-9);
}

TEST(Budget, ASmallProblemGetsHalfOfAnEqualShare) {
    // By their bytes a small one would get 0.06 s, too few for the verification of its contestants.
    Budget budget({1.0, 1.0, 1.0, 1000.0}, 60.0);
    budget.measured(0, took(0.05, 35));
    EXPECT_NEAR(budget.limit_s(1, 0.0), 60.0 / 2 / 3, 1e-9);
    EXPECT_NEAR(budget.limit_s(2, 30.0), 30.0 / 2 / 3, 1e-9);
    EXPECT_NEAR(budget.limit_s(3, 0.0), 60.0 * 1000 / 1002, 1e-9);
}

TEST(Budget, WhatIsDoneOnceIsNeededHoweverManyRoundsThereWere) {
    Budget budget({1.0, 4.0, 1.0, 1.0, 1.0}, 100.0);
    // Of calls of microseconds: a tenth of the time was in 970 rounds.
    budget.measured(0, took(4.0, 970, 0, 0.1));
    EXPECT_NEAR(budget.limit_s(2, 85.0), 4 * (0.9 + 0.1 * 35 / 970), 1e-9);
}

TEST(Budget, WhereOnlyAPartWasMeasuredTheWholeNeedsMore) {
    Budget all({1.0, 1.0, 1.0}, 1000.0), part({1.0, 1.0, 1.0}, 1000.0);
    all.measured(0, took(10.0, 35));
    part.measured(0, took(10.0, 35, 6));
    EXPECT_NEAR(part.limit_s(1, 955.0), 22.5, 1e-9);
    EXPECT_NEAR(all.limit_s(1, 990.0), 5.0, 1e-9);
    EXPECT_NEAR(part.limit_s(1, 999.0), 0.0, 1e-9);
}

TEST(Budget, WithTooLittleLeftAProblemIsLeftOut) {
    Budget budget({1.0, 100.0, 1.0}, 20.0);
    budget.measured(0, took(1.0, 35));
    EXPECT_EQ(budget.limit_s(1, 19.0), 0.0);  // it needs 100 s
    EXPECT_GT(budget.limit_s(2, 19.0), 0.0);
    EXPECT_EQ(budget.limit_s(2, 20.5), 0.0);
}

TEST(Budget, WhereAllNeedFarMoreTheFirstDoNotEatWhatIsLeft) {
    // 8 hosts on 2 processors: in its limit of 20 s a problem came to 2 of 52 contestants.
    Budget budget(std::vector<double>(9, 1.0), 60.0);
    double elapsed_s = 0.0;
    std::vector<double> limits_s;
    for (std::size_t i = 0; i < 9; ++i) {
        limits_s.push_back(budget.limit_s(i, elapsed_s));
        elapsed_s += limits_s.back();
        if (limits_s.back() > 0.0) budget.measured(i, took(limits_s.back(), 23, 50));
    }
    // A third of what is left, each time, until less than a tenth of the budget is.
    const std::vector<double> expected_s = {20,         40.0 / 3,   80.0 / 9,
                                            160.0 / 27, 320.0 / 81, 640.0 / 243};
    for (std::size_t i = 0; i < 9; ++i)
        EXPECT_NEAR(limits_s[i], i < expected_s.size() ? expected_s[i] : 0.0, 1e-9) << i;
}

TEST(Budget, WeightsShareTheTimeAndWorksSayWhatIsNeeded) {
    Budget budget({1.0, 1.0, 1.0, 1.0}, 100.0, {8.0, 6.0, 5.0, 1.0});
    EXPECT_NEAR(budget.limit_s(0, 0.0), 40.0, 1e-9);
    // Of 97 rounds 35 are enough.
    budget.measured(0, took(10.0, 97));
    EXPECT_NEAR(budget.limit_s(1, 10.0), 90.0 * 6 / 12, 1e-9);
    EXPECT_NEAR(budget.limit_s(3, 10.0), 7.5, 1e-9);
    EXPECT_NEAR(budget.limit_s(3, 70.0), 10.0 * 35 / 97, 1e-9);
}

}  // namespace
}  // namespace mpiaudit
