// SPDX-License-Identifier: BSD-3-Clause
#include "judge/verdict.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

#include "judge/evidence.h"

namespace mpiaudit::judge {
namespace {

using Samples = std::vector<double>;

TEST(Names, GoBothWays) {
    EXPECT_EQ(name(Verdict::violated), "violated");
    EXPECT_EQ(name(Verdict::holds), "holds");
    EXPECT_EQ(name(Verdict::undecided), "undecided");
    EXPECT_EQ(name(Verdict::skipped), "skipped");
    for (const Criterion each : {Criterion::evidence, Criterion::averages, Criterion::minima})
        EXPECT_EQ(criterion(name(each)), each);
    EXPECT_EQ(name(Criterion::minima), "minima");
    EXPECT_EQ(criterion("medians"), std::nullopt);
    EXPECT_EQ(criterion(""), std::nullopt);
}

TEST(Judge, PairsTheRoundsThatBothSidesHave) {
    const Samples left{2.0, 4.0, 6.0};
    const Samples right{1.0, 2.0, 1.0, 9.0, 9.0};
    const Judgement judgement = judge(left, right, {}, 1);
    EXPECT_EQ(judgement.verdict, Verdict::undecided);
    EXPECT_EQ(judgement.rounds, 3);
    EXPECT_EQ(judgement.slower, 3);
    EXPECT_EQ(judgement.log_e_violated, log_e_value(3, 3));
    EXPECT_EQ(judgement.log_e_holds, log_e_value(3, 0));
    EXPECT_EQ(judgement.left.samples, 3U);
    EXPECT_EQ(judgement.right.samples, 5U);
    EXPECT_EQ(judgement.ratio.median, 2.0);
    EXPECT_EQ(judgement.ratio.low, 2.0);
    EXPECT_EQ(judgement.ratio.high, 6.0);
    EXPECT_EQ(judgement.ratio.coverage, 0.75);
}

TEST(Judge, AgreesWithTheProcessRoundByRound) {
    const Judgement judgement = judge(Samples(9, 3.0), Samples(9, 1.0), {}, 1);
    EXPECT_EQ(judgement.verdict, Verdict::violated);
    EXPECT_EQ(judgement.rounds, 9);
    EXPECT_EQ(judgement.decided_at, 7);
    EXPECT_EQ(judgement.slower, 7);
    EXPECT_EQ(judgement.log_e_violated, log_e_value(7, 7));
}

TEST(Judge, AveragesAreThoseOfTheSamplesThatTheRuleLeaves) {
    // Within the fences the mean of the left side is 1.05 and its median 1; with the outlier the
    // mean is 10.945.
    const Samples left{1, 1, 1.2, 1, 1, 1, 1.1, 1.1, 1.05, 100};
    const Samples right(10, 1.0);
    const auto verdict = [&](double tolerance) {
        return judge(left, right, {.criterion = Criterion::averages, .tolerance = tolerance}, 1)
            .verdict;
    };
    EXPECT_EQ(verdict(0.04), Verdict::violated);
    EXPECT_EQ(verdict(0.06), Verdict::holds);
    const Rule plain{.criterion = Criterion::averages, .outliers = Outliers::none, .tolerance = 9};
    EXPECT_EQ(judge(left, right, plain, 1).verdict, Verdict::violated);
}

TEST(Judge, MinimaAreTakenOverAllSamples) {
    const Samples left{0.5, 10, 10, 10, 10, 10, 10, 10};
    const Samples right(8, 1.0);
    const Judgement judgement = judge(left, right, {.criterion = Criterion::minima}, 1);
    EXPECT_EQ(judgement.left.minimum, 10.0);
    EXPECT_EQ(judgement.left.raw_minimum, 0.5);
    EXPECT_EQ(judgement.verdict, Verdict::holds);
    EXPECT_EQ(judge(right, left, {.criterion = Criterion::minima}, 1).verdict, Verdict::violated);
}

TEST(Judge, PlainComparisonsAlwaysDecideAndEqualityHolds) {
    for (const Criterion plain : {Criterion::averages, Criterion::minima}) {
        const Rule rule{.criterion = plain, .tolerance = 0.0};
        EXPECT_EQ(judge(Samples{1.0}, Samples{1.0}, rule, 1).verdict, Verdict::holds);
        EXPECT_EQ(judge(Samples{1.01}, Samples{1.0}, rule, 1).verdict, Verdict::violated);
    }
}

TEST(Judge, TakesARatioOfZerosForOne) {
    const Judgement judgement = judge(Samples{0.0, 1.0, 0.0}, Samples{0.0, 0.0, 1.0}, {}, 1);
    EXPECT_EQ(judgement.ratio.low, 0.0);
    EXPECT_EQ(judgement.ratio.median, 1.0);
    EXPECT_EQ(judgement.ratio.high, std::numeric_limits<double>::infinity());
}

TEST(Judge, RefusesASideWithoutSamples) {
    EXPECT_THROW(judge(Samples{}, Samples{1.0}, {}, 1), std::invalid_argument);
    EXPECT_THROW(judge(Samples{1.0}, Samples{}, {}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace mpiaudit::judge
