// SPDX-License-Identifier: BSD-3-Clause
#include "audit/budget.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace mpiaudit {
namespace {

/// Returns the record of a problem that took `elapsed_s` for 2 contestants; `late` further ones had
/// no time. \param in_rounds share of the time in rounds, of which the calls took half
record::ProblemRecord took(double elapsed_s, std::size_t rounds, int late = 0,
                           double in_rounds = 1.0) {
    record::ProblemRecord record;
    record.contestants.resize(2);
    const double round_s = in_rounds * elapsed_s / static_cast<double>(rounds);
    for (auto& each : record.contestants) each.samples_s.assign(rounds, round_s / 4);
    for (int i = 0; i < late; ++i)
        record.contestants.emplace_back().skipped = Reason{ReasonKind::no_time};
    record.order.assign(rounds, {0, 1});
    record.elapsed_s = elapsed_s;
    return record;
}

TEST(Budget, NoBudgetIsNoLimit) {
    const Budget budget({1.0, 1.0}, std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isinf(budget.limit_s(0, 1e9)));
}

TEST(Budget, TheFirstProblemMayTakeAThird) {
    const Budget budget({1.0, 1.0, 1.0, 1.0}, 40.0);
    EXPECT_EQ(budget.limit_s(0, 0.0), 40.0 / 3);
    EXPECT_EQ(Budget({1.0, 1.0}, 40.0).limit_s(0, 0.0), 20.0);
    EXPECT_EQ(Budget({1.0}, 40.0).limit_s(0, 0.0), 40.0);
}

TEST(Budget, WithChosenProblemsAProblemGetsItsNeedOrHalfOfItsShare) {
    Budget budget(std::vector<double>(8, 1.0), 48.0, {}, true);
    EXPECT_EQ(budget.limit_s(0, 0.0), 8.0);         // a sixth
    EXPECT_EQ(budget.part_of_needed(0, 8.0), 0.0);  // not known
    budget.measured(0, took(2.0, 35));
    EXPECT_EQ(budget.limit_s(1, 2.0), 46.0 / 7 / 2);
    EXPECT_EQ(budget.part_of_needed(1, 1.5), 0.75);
    EXPECT_EQ(budget.limit_s(1, 36.0), 2.0);              // a sixth of 12; needed are 1.5 times 2
    EXPECT_NEAR(budget.limit_s(1, 47.4), 0.6 / 6, 1e-9);  // none is left out
}

TEST(Budget, TheNeedIsThatOfThePlannedContestantsOnThisMachine) {
    Budget budget({1.0, 1.0}, 48.0);
    budget.measured(0, took(2.0, 35), 8.0, 1);  // one of two contestants is planned
    EXPECT_EQ(budget.part_of_needed(1, 8.0), 2.0);
}

TEST(Budget, ProblemsThatNeedLessLeaveTheirShareToOthers) {
    Budget budget({1.0, 1.0, 1.0, 1.0}, 40.0);
    budget.measured(0, took(1.0, 10));
    EXPECT_EQ(budget.limit_s(1, 1.0), 13.0);  // a third of 39
}

TEST(Budget, TheRecordOfASimulationSaysNothingAboutTheTimeOfTheMachine) {
    Budget budget({1.0, 4.0, 1.0}, 60.0);
    budget.measured(0, took(1e-3, 2), 20.0);
    EXPECT_EQ(budget.limit_s(2, 20.0), 20.0);  // what the first needed, and half of the rest
}

TEST(Budget, AProblemGetsWhatItNeedsToBeMeasuredWellAtMostAThird) {
    Budget budget({1.0, 4.0, 1.0, 1.0, 1.0}, 100.0);
    // 35 of the 97 rounds are enough.
    budget.measured(0, took(10.0, 97));
    EXPECT_NEAR(budget.limit_s(2, 85.0), 10.0 * 35 / 97, 1e-9);
    // The limit is a third of the remaining time, or the share if this is more: 4 / 7.
    EXPECT_NEAR(budget.limit_s(1, 74.0), 26.0 * 4 / 7, 1e-9);
    EXPECT_NEAR(budget.limit_s(3, 96.0), 4.0 / 3, 1e-9);
}

TEST(Budget, ASmallProblemGetsHalfOfAnEqualShare) {
    // In proportion to bytes a small problem would get 0.06 s, too few to verify its contestants.
    Budget budget({1.0, 1.0, 1.0, 1000.0}, 60.0);
    budget.measured(0, took(0.05, 35));
    EXPECT_NEAR(budget.limit_s(1, 0.0), 60.0 / 2 / 3, 1e-9);
    EXPECT_NEAR(budget.limit_s(2, 30.0), 30.0 / 2 / 3, 1e-9);
    EXPECT_NEAR(budget.limit_s(3, 0.0), 60.0 * 1000 / 1002, 1e-9);
}

TEST(Budget, FixedCostsAreNeededForAnyNumberOfRounds) {
    Budget budget({1.0, 4.0, 1.0, 1.0, 1.0}, 100.0);
    // Calls of microseconds: 970 rounds took a tenth of the time.
    budget.measured(0, took(4.0, 970, 0, 0.1));
    EXPECT_NEAR(budget.limit_s(2, 85.0), 4 * (0.9 + 0.1 * 35 / 970), 1e-9);
}

TEST(Budget, ContestantsWithoutTimeIncreaseTheNeed) {
    Budget all({1.0, 1.0, 1.0}, 1000.0), part({1.0, 1.0, 1.0}, 1000.0);
    all.measured(0, took(10.0, 35));
    part.measured(0, took(10.0, 35, 6));
    EXPECT_NEAR(part.limit_s(1, 955.0), 22.5, 1e-9);
    EXPECT_NEAR(all.limit_s(1, 990.0), 5.0, 1e-9);
    EXPECT_NEAR(part.limit_s(1, 999.0), 0.0, 1e-9);
}

TEST(Budget, LeavesOutAProblemThatNeedsFarMoreThanIsLeft) {
    Budget budget({1.0, 100.0, 1.0}, 20.0);
    budget.measured(0, took(1.0, 35));
    EXPECT_EQ(budget.limit_s(1, 19.0), 0.0);  // it needs 100 s
    EXPECT_GT(budget.limit_s(2, 19.0), 0.0);
    EXPECT_EQ(budget.limit_s(2, 20.5), 0.0);
}

TEST(Budget, MeasuresSomeProblemsIfAllNeedFarMore) {
    // On 8 hosts with 2 cores a problem measured 2 of 52 contestants in its limit of 20 s.
    Budget budget(std::vector<double>(9, 1.0), 60.0);
    double elapsed_s = 0.0;
    std::vector<double> limits_s;
    for (std::size_t i = 0; i < 9; ++i) {
        limits_s.push_back(budget.limit_s(i, elapsed_s));
        elapsed_s += limits_s.back();
        if (limits_s.back() > 0.0) budget.measured(i, took(limits_s.back(), 23, 50));
    }
    // Each problem gets a third of the remaining time, until a tenth of the budget is left.
    const std::vector<double> expected_s = {20,         40.0 / 3,   80.0 / 9,
                                            160.0 / 27, 320.0 / 81, 640.0 / 243};
    for (std::size_t i = 0; i < 9; ++i)
        EXPECT_NEAR(limits_s[i], i < expected_s.size() ? expected_s[i] : 0.0, 1e-9) << i;
}

TEST(Budget, WeightsGiveTheSharesAndWorksTheNeeds) {
    Budget budget({1.0, 1.0, 1.0, 1.0}, 100.0, {8.0, 6.0, 5.0, 1.0});
    EXPECT_NEAR(budget.limit_s(0, 0.0), 40.0, 1e-9);
    // 35 of the 97 rounds are enough.
    budget.measured(0, took(10.0, 97));
    EXPECT_NEAR(budget.limit_s(1, 10.0), 90.0 * 6 / 12, 1e-9);
    EXPECT_NEAR(budget.limit_s(3, 10.0), 7.5, 1e-9);
    EXPECT_NEAR(budget.limit_s(3, 70.0), 10.0 * 35 / 97, 1e-9);
}

}  // namespace
}  // namespace mpiaudit
