// SPDX-License-Identifier: BSD-3-Clause

#include <gtest/gtest.h>

#include <cmath>

#include "judge/statistics.h"
#include "judge/verdict.h"

namespace mpiaudit::judge {
namespace {

using Times = std::vector<double>;

LaunchSamples launch(const Times& left_s, double right_s = 1.0, int checks = 1) {
    return {left_s, Times(left_s.size(), right_s), 1, checks};
}

/// `slower` rounds at 2 s, then `faster` ones at 0.5 s.
Times rounds(std::size_t slower, std::size_t faster) {
    Times times(slower, 2.0);
    times.resize(slower + faster, 0.5);
    return times;
}

JointJudgement judged(const std::vector<LaunchSamples>& launches, int checks = 1,
                      Criterion criterion = Criterion::evidence) {
    Rule rule;
    rule.checks = checks;
    rule.criterion = criterion;
    return judge_launches(launches, rule);
}

TEST(Launches, EvidenceOfLaunchesMultiplies) {
    // Five slower rounds are worth 63/6 = 10.5, too little for 100 alone, 110 together.
    const auto both = judged({launch(rounds(5, 0)), launch(rounds(5, 0))}, 5);
    EXPECT_EQ(both.launches[0].verdict, Verdict::undecided);
    EXPECT_NEAR(both.joint.log_e_violated, 2 * std::log(10.5), 1e-12);
    EXPECT_EQ(both.joint.verdict, Verdict::violated);
    EXPECT_EQ(both.joint.rounds, 10);
    EXPECT_EQ(both.joint.slower, 10);
    EXPECT_EQ(both.joint.decided_at, 0);
    EXPECT_EQ(judged({launch(rounds(5, 0)), launch(rounds(5, 0))}, 6).joint.verdict,
              Verdict::undecided);
    EXPECT_EQ(judged({launch(rounds(0, 5)), launch(rounds(0, 5))}).joint.verdict, Verdict::holds);
}

TEST(Launches, EvidenceOfALaunchEndsWithItsDecision) {
    const auto joint = judged({launch(rounds(0, 30)), launch(rounds(3, 3))});
    EXPECT_NEAR(joint.joint.log_e_holds, log_e_value(7, 7) + log_e_value(6, 3), 1e-12);
}

TEST(Launches, EachLaunchHasItsOwnLevel) {
    const auto joint = judged({launch(rounds(9, 0), 1.0, 3), launch(rounds(9, 0), 1.0, 300)}, 3);
    EXPECT_EQ(joint.launches[0].verdict, Verdict::violated);
    EXPECT_EQ(joint.launches[1].verdict, Verdict::undecided);
}

TEST(Launches, ThoseThatContradictEachOtherLeaveItUndecided) {
    // However strong one side is.
    const auto joint = judged({launch(rounds(200, 0)), launch(rounds(0, 10))});
    EXPECT_TRUE(joint.launches_disagree);
    EXPECT_EQ(joint.joint.verdict, Verdict::undecided);
    EXPECT_EQ(joint.launches[0].ratio.median, 2.0);
    EXPECT_EQ(joint.launches[1].ratio.median, 0.5);
}

TEST(Launches, EveryOneHasToSpeakForAViolation) {
    // E(8, 4) = 256 / 630; to bet evenly over all stakes costs more than five wins of eight bring.
    EXPECT_LT(log_e_value(8, 4), 0.0);
    EXPECT_GT(log_e_value(8, 6), 0.0);
    const auto doubtful = judged({launch(rounds(200, 0)), launch(rounds(4, 4))});
    EXPECT_TRUE(doubtful.launches_disagree);
    EXPECT_EQ(doubtful.joint.verdict, Verdict::undecided);
    const auto supported = judged({launch(rounds(200, 0)), launch(rounds(6, 2))});
    EXPECT_FALSE(supported.launches_disagree);
    EXPECT_EQ(supported.joint.verdict, Verdict::violated);
    // Launches cannot disagree if none alone says violated.
    const auto weak = judged({launch(rounds(6, 0)), launch(rounds(6, 0)), launch(rounds(4, 4))});
    EXPECT_FALSE(weak.launches_disagree);
    EXPECT_GE(weak.joint.log_e_violated, std::log(20.0));
    EXPECT_EQ(weak.joint.verdict, Verdict::undecided);
}

TEST(Launches, EachLaunchHasTheSameWeight) {
    const auto joint =
        judged({launch(rounds(4, 0)), launch(rounds(0, 20), 2.0), launch(Times(8, 3.0))}).joint;
    EXPECT_EQ(joint.left.samples, 32U);
    EXPECT_EQ(joint.left.median, 2.0);
    EXPECT_EQ(joint.left.mean, 2.0);
    EXPECT_EQ(joint.left.minimum, 0.5);
    EXPECT_EQ(joint.left.maximum, 3.0);
    EXPECT_EQ(joint.right.median, 1.0);
    EXPECT_EQ(joint.ratio.median, 2.0);
    EXPECT_EQ(joint.ratio.low, 0.25);
    EXPECT_EQ(joint.ratio.high, 3.0);
    EXPECT_EQ(joint.ratio.coverage, 0.75) << "of three launches";
}

TEST(Launches, OfDifferentSpeedDoNotContradictTheirVerdict) {
    // The second launch takes three times as long. In the first one the left side was measured on
    // for other checks: the middle of all its samples is 0.66 s, that of the right side 1.25 s.
    const LaunchSamples fast{Times(400, 0.66), Times(20, 0.6), 1, 1};
    const LaunchSamples slow{Times(20, 2.1), Times(20, 1.9), 1, 1};
    const Judgement joint = judged({fast, slow}).joint;
    EXPECT_EQ(joint.verdict, Verdict::violated);
    EXPECT_DOUBLE_EQ(joint.left.median, (0.66 + 2.1) / 2);
    EXPECT_DOUBLE_EQ(joint.right.median, (0.6 + 1.9) / 2);
    EXPECT_GT(joint.left.mean, joint.right.mean);
    EXPECT_EQ(joint.rounds, 40);
    EXPECT_EQ(joint.by.filtered_means, Verdict::violated);
    EXPECT_EQ(joint.by.minima, Verdict::violated);
}

TEST(Launches, WhatAllNumbersContradictIsWithdrawn) {
    // Each launch decided after seven rounds; later the left side was the faster one.
    const Times turned = rounds(7, 20);
    const Judgement joint = judged({launch(turned), launch(turned)}).joint;
    EXPECT_EQ(joint.verdict, Verdict::undecided);
    EXPECT_TRUE(joint.is_withdrawn);
}

TEST(Launches, PlainComparisonsHaveToAgree) {
    const auto slow = launch(rounds(3, 0)), fast = launch(rounds(0, 3));
    EXPECT_EQ(judged({slow, slow}, 1, Criterion::averages).joint.verdict, Verdict::violated);
    EXPECT_EQ(judged({fast, fast}, 1, Criterion::minima).joint.verdict, Verdict::holds);
    EXPECT_TRUE(judged({slow, fast}, 1, Criterion::averages).launches_disagree);
    EXPECT_THROW(judged({}), std::invalid_argument);
}

TEST(Launches, TheMediansOfLaunchesByWilcoxonsTest) {
    // R: wilcox.test(left, right, alternative = "greater", exact = FALSE)$p.value
    const auto p = [](const Times& left, const Times& right) {
        return rank_sum_p_value(left, right);
    };
    EXPECT_NEAR(p({3, 4, 5}, {1, 2, 2.5}), 0.04042779918502612, 1e-12);
    EXPECT_NEAR(p({1.2, 1.4, 1.4, 1.1}, {1.0, 1.1, 1.4, 0.9, 1.0}), 0.06579338014059317, 1e-12);
    EXPECT_NEAR(p({1, 2}, {3, 4}), 0.9735962442919432, 1e-12);
    EXPECT_EQ(p({1, 1}, {1, 1}), 1.0);  // R: not a number
    EXPECT_THROW(p({}, {1}), std::invalid_argument);

    const auto slow = launch({3, 3, 1}, 1.0), fast = launch({1, 1, 3}, 1.0);
    const auto verdict = [](const std::vector<LaunchSamples>& launches) {
        return judged(launches, 100, Criterion::pgmpi).joint.verdict;
    };
    EXPECT_EQ(verdict({slow, slow}), Verdict::undecided);
    EXPECT_EQ(verdict({slow, slow, slow}), Verdict::violated);
    EXPECT_EQ(verdict({slow, slow, fast}), Verdict::holds);
    EXPECT_EQ(judged({slow, slow, slow}, 1, Criterion::pgmpi).joint.factor, 3.0);
}

TEST(Launches, IntervalsThatOverlapDecideNothing) {
    const auto above = launch({2, 2, 2}), around = launch({0.5, 1, 1.5});
    EXPECT_EQ(judged({above}, 1, Criterion::intervals).joint.verdict, Verdict::violated);
    EXPECT_EQ(judged({launch({0.5, 0.5})}, 1, Criterion::intervals).joint.verdict, Verdict::holds);
    EXPECT_EQ(judged({around}, 1, Criterion::intervals).joint.verdict, Verdict::undecided);
    EXPECT_EQ(judged({above, around}, 1, Criterion::intervals).joint.verdict, Verdict::undecided);
}

}  // namespace
}  // namespace mpiaudit::judge
