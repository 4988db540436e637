// SPDX-License-Identifier: BSD-3-Clause
#include "judge/tails.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <vector>

namespace mpiaudit::judge {
namespace {

using testing::ElementsAre;

TEST(LongCalls, TakeMoreThanTenUsualTimesOfTheSlowerSideAndThreeOfTheOtherCall) {
    const std::vector<double> left_s = {1, 20, 20.1, 50, 90.1, 1, 99},
                              right_s = {2, 2, 2, 17, 30, 20.1};
    const LongCalls found = long_calls(left_s, right_s, {.left_s = 1, .right_s = 2});
    EXPECT_EQ(found.rounds, 6) << "rounds of one side alone do not count";
    EXPECT_THAT(found.left_long_s, ElementsAre(20.1, 90.1));
    EXPECT_EQ(found.right_long, 1);
    EXPECT_DOUBLE_EQ(found.left_all_s, 182.2);
}

TEST(LongCalls, FirstRoundsSayWhatIsUsual) {
    std::vector<double> left_s = {1, 900, 1, 1, 1, 11}, right_s(6, 0.5);
    const LongCalls found = long_calls_behind_first(left_s, right_s);
    EXPECT_EQ(found.rounds, 1);
    EXPECT_THAT(found.left_long_s, ElementsAre(11));
    EXPECT_EQ(found.usual.right_s, 0.5);
    left_s.pop_back();
    EXPECT_EQ(long_calls_behind_first(left_s, right_s).rounds, 0);
}

/// Rounds in which so many calls of one side alone are long.
LongCalls rounds_with(int left, int right, UsualTimes usual = {1, 1}) {
    LongCalls made{.usual = usual, .rounds = 1000, .left_long_s = {}};
    made.left_long_s.assign(static_cast<std::size_t>(left), 30.0);
    made.right_long = right;
    made.left_all_s = 1000.0 + 29 * left;
    return made;
}

double log_e(const std::vector<LongCalls>& rounds) {
    return log_e_of_tail(rounds);
}

TEST(EvidenceOfTails, IsTheMeanOfLikelihoodRatios) {
    EXPECT_EQ(log_e({}), 0.0);
    EXPECT_EQ(log_e({rounds_with(0, 0)}), 0.0);
    // One long call of the left side has the likelihood ratio t / ((t + 1) / 2).
    double mean = 0;
    for (const double t : {2, 4, 8, 16, 32, 64}) mean += 2 * t / (t + 1) / 6;
    EXPECT_NEAR(log_e({rounds_with(1, 0)}), std::log(mean), 1e-12);
    // The left side is three times as long: it is hit in three of four cases.
    mean = 0;
    for (const double t : {2, 4, 8, 16, 32, 64}) mean += t / (0.75 * t + 0.25) / 6;
    EXPECT_NEAR(log_e({rounds_with(1, 0, {3, 1})}), std::log(mean), 1e-12);
    // The left side is shorter: it counts as equal.
    EXPECT_EQ(log_e({rounds_with(9, 2, {1, 3})}), log_e({rounds_with(9, 2)}));
    EXPECT_LT(log_e({rounds_with(2, 2)}), 0.0);
}

TEST(EvidenceOfTails, MultipliesOverProblems) {
    const std::vector<LongCalls> apart = {rounds_with(9, 1), rounds_with(11, 0)};
    EXPECT_NEAR(log_e(apart), log_e({rounds_with(20, 1)}), 1e-12);
}

/// The level of a check in an audit of 3000 checks with alpha = 0.05.
constexpr int checks = 3000;
constexpr double alpha = 0.05;

TEST(TailJudgement, NeedsEvidenceFrequencyAndTime) {
    const auto judged = [](const LongCalls& rounds) {
        return judge_tail(std::vector<std::vector<LongCalls>>{{rounds}});
    };
    EXPECT_TRUE(judged(rounds_with(20, 0)).is_found(checks, alpha));
    EXPECT_FALSE(judged(rounds_with(15, 0)).is_found(checks, alpha)) << "evidence";
    EXPECT_FALSE(judged(rounds_with(200, 70)).is_found(checks, alpha)) << "frequency";
    LongCalls short_ones = rounds_with(20, 0);
    short_ones.left_all_s = 7000;
    EXPECT_FALSE(judged(short_ones).is_found(checks, alpha)) << "time";
    const TailJudgement found = judged(rounds_with(20, 1));
    EXPECT_EQ(found.calls, 1000);
    EXPECT_EQ(found.long_calls, 20);
    EXPECT_EQ(found.other_long_calls, 1);
    EXPECT_DOUBLE_EQ(found.share, 600.0 / 1580);
    EXPECT_EQ(found.long_s, 30.0);
}

TEST(TailJudgement, NoLaunchSpeaksAgainst) {
    const std::vector<std::vector<LongCalls>> agree = {{rounds_with(15, 0)}, {rounds_with(15, 0)}},
                                              differ = {{rounds_with(40, 0)}, {rounds_with(1, 3)}},
                                              silent = {{rounds_with(25, 0)}, {}};
    EXPECT_TRUE(judge_tail(agree).is_found(checks, alpha));
    EXPECT_FALSE(judge_tail(differ).is_found(checks, alpha));
    EXPECT_TRUE(judge_tail(silent).is_found(checks, alpha));
}

// Simulated rounds: usual times vary by 10 %, disturbances are long.
class SimulatedTails : public testing::Test {
  protected:
    /// Returns the times of calls of `usual_s` that are disturbed with this probability, and are
    /// long by themselves in one of `every` calls (0: never).
    std::vector<double> times_s(int rounds, double usual_s, double disturbed, int every = 0,
                                double long_s = 1e-3) {
        std::lognormal_distribution<double> usual(std::log(usual_s), 0.1);
        std::uniform_real_distribution<double> chance(0.0, 1.0);
        std::vector<double> all_s;
        for (int k = 0; k < rounds; ++k) {
            all_s.push_back(usual(random_));
            if (chance(random_) < disturbed) all_s.back() += 4e-3 * (0.1 + chance(random_));
            if (every > 0 && chance(random_) < 1.0 / every) all_s.back() += long_s;
        }
        return all_s;
    }
    /// Returns the largest evidence at any of ten looks at the rounds, as if each could be the
    /// last.
    static double most_log_e(const std::vector<double>& left_s,
                             const std::vector<double>& right_s) {
        double most = 0.0;
        for (std::size_t looks = 1; looks <= 10; ++looks) {
            const std::size_t rounds = left_s.size() * looks / 10;
            const LongCalls found = long_calls_behind_first(std::span(left_s).first(rounds),
                                                            std::span(right_s).first(rounds));
            most = std::max(most, log_e_of_tail({&found, 1}));
        }
        return most;
    }
    std::mt19937_64 random_{7};
};

TEST_F(SimulatedTails, ExchangeableNoiseReachesABoundAsRarelyAsItSays) {
    constexpr int trials = 2000, rounds = 400;
    for (const double disturbed : {0.002, 0.05}) {
        int beyond_20 = 0, beyond_100 = 0;
        for (int trial = 0; trial < trials; ++trial) {
            const double most =
                most_log_e(times_s(rounds, 5e-6, disturbed), times_s(rounds, 5e-6, disturbed));
            beyond_20 += most >= std::log(20);
            beyond_100 += most >= std::log(100);
        }
        EXPECT_LE(beyond_20, trials / 20) << disturbed;
        EXPECT_LE(beyond_100, trials / 100) << disturbed;
    }
}

TEST_F(SimulatedTails, LongerCallsAreDisturbedMoreOftenAndNotAccused) {
    constexpr int trials = 1000, rounds = 400;
    int beyond_20 = 0;
    for (int trial = 0; trial < trials; ++trial)
        beyond_20 +=
            most_log_e(times_s(rounds, 2e-5, 0.08), times_s(rounds, 5e-6, 0.02)) >= std::log(20);
    EXPECT_LE(beyond_20, trials / 20);
}

TEST_F(SimulatedTails, AreFoundInTheRoundsOfAnAudit) {
    const auto found = [&](int rounds, int every, double long_s, double disturbed) {
        int number = 0;
        for (int trial = 0; trial < 50; ++trial) {
            const LongCalls calls = long_calls_behind_first(
                times_s(rounds, 5e-6, disturbed, every, long_s), times_s(rounds, 6e-6, disturbed));
            number +=
                judge_tail(std::vector<std::vector<LongCalls>>{{calls}}).is_found(checks, alpha);
        }
        return number;
    };
    // On a quiet machine, and where one call in 2000 is disturbed.
    for (const double disturbed : {0.0, 0.0005}) {
        EXPECT_GE(found(2500, 50, 10e-3, disturbed), 49) << disturbed;
        EXPECT_GE(found(20000, 200, 1e-3, disturbed), 49) << disturbed;
    }
    EXPECT_EQ(found(20000, 0, 0, 0.0005), 0);
}

}  // namespace
}  // namespace mpiaudit::judge
