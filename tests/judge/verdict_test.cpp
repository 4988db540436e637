// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "judge/ranges.h"
#include "judge/verdict.h"
#include "published_tables.h"

namespace mpiaudit::judge {
namespace {

using Samples = std::vector<double>;

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
    // The right side also ran for other checks; those rounds say nothing about this pair.
    EXPECT_EQ(judgement.right.samples, 3U);
    EXPECT_EQ(judgement.right.maximum, 2.0);
    EXPECT_EQ(judgement.ratio.median, 2.0);
    EXPECT_EQ(judgement.ratio.low, 2.0);
    EXPECT_EQ(judgement.ratio.high, 6.0);
    EXPECT_EQ(judgement.ratio.coverage, 0.75);
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

/// `first` rounds of ratio `ratio`, then `then` rounds of ratio `other`, with a right side of 1 s.
Judgement turned(std::size_t first, double ratio, std::size_t then, double other) {
    Samples left(first, ratio);
    left.resize(first + then, other);
    return judge(left, Samples(first + then, 1.0), {}, 1);
}

TEST(Judge, AVerdictThatAllRoundsContradictIsWithdrawn) {
    const Judgement violated = turned(9, 2.0, 4, 0.9);
    EXPECT_EQ(violated.verdict, Verdict::violated);
    EXPECT_EQ(violated.decided_at, 7);
    EXPECT_EQ(violated.slower, 9) << "of all 13 rounds, not of the seven up to the decision";
    const Judgement not_violated = turned(9, 2.0, 20, 0.9);
    EXPECT_EQ(not_violated.verdict, Verdict::undecided);
    EXPECT_EQ(not_violated.decided_at, 7);
    EXPECT_TRUE(not_violated.is_withdrawn);
    EXPECT_GT(not_violated.log_e_violated, std::log(20.0)) << "the evidence is of the decision";

    EXPECT_EQ(turned(9, 0.9, 4, 47.0).verdict, Verdict::holds);
    EXPECT_EQ(turned(9, 0.9, 20, 47.0).verdict, Verdict::undecided);
    EXPECT_EQ(turned(9, 0.9, 20, 47.0).slower, 20);
    // One simulated round is exact.
    EXPECT_EQ(judge(Samples{1.0, 2.0, 2.0}, Samples(3, 1.0), {.deterministic = true}, 1).verdict,
              Verdict::holds);
}

TEST(Judge, TimesThatContradictTheRatioWithdrawAViolation) {
    // Left is slower in 16 of 22 rounds, yet its middle time is the smaller one.
    Samples left(12, 1.1), right{};
    left.resize(22, 2.0);
    right.assign(6, 1.0);
    right.resize(12, 1.2);
    right.resize(16, 1.0);
    right.resize(22, 1.2);
    std::ranges::rotate(left, left.begin() + 12);
    std::ranges::rotate(right, right.begin() + 12);
    const Judgement judgement = judge(left, right, {}, 1);
    EXPECT_GT(judgement.ratio.median, 1.05);
    EXPECT_LT(judgement.left.median, judgement.right.median);
    EXPECT_GT(judgement.decided_at, 0);
    EXPECT_EQ(judgement.verdict, Verdict::undecided);
}

TEST(Judge, SaysWhatEachRuleSaysOfTheSameSamples) {
    // Slower in no round but one: the mean of all samples alone accuses, its filter removes that.
    Samples left(20, 1.0);
    left[3] = 100.0;
    const Rule averages{.criterion = Criterion::averages, .outliers = Outliers::none};
    const Judgement judgement = judge(left, Samples(20, 1.0), averages, 1);
    EXPECT_EQ(judgement.verdict, Verdict::violated);
    EXPECT_EQ(judgement.by.averages, Verdict::violated);
    EXPECT_EQ(judgement.by.filtered_means, Verdict::holds);
    EXPECT_EQ(judgement.by.minima, Verdict::holds);
    EXPECT_EQ(judgement.by.evidence, Verdict::holds);
    EXPECT_EQ(judge(left, Samples(20, 1.0), {}, 1).by.averages, Verdict::holds)
        << "the filter of the audit";
}

TEST(Judge, SamplesThatWereTakenInARowAreNoPairs) {
    const Samples left{4.0, 1.0, 3.0, 3.0}, right{1.0, 4.0};
    const Judgement judgement =
        judge(left, right, {.criterion = Criterion::averages, .is_paired = false}, 1);
    EXPECT_EQ(judgement.left.samples, 4U);
    EXPECT_DOUBLE_EQ(judgement.ratio.median, 3.0 / 2.5);
    EXPECT_EQ(judgement.ratio.low, judgement.ratio.high);
    EXPECT_EQ(judgement.ratio.coverage, 0.0);
}

TEST(Judge, RefusesASideWithoutSamples) {
    EXPECT_THROW(judge(Samples{}, Samples{1.0}, {}, 1), std::invalid_argument);
    EXPECT_THROW(judge(Samples{1.0}, Samples{}, {}, 1), std::invalid_argument);
}

AtSize holds(double size, double time_s = 0.0) {
    return {size, false, 1.0, time_s};
}
AtSize violated(double size, double ratio, double time_s = 0.0) {
    return {size, true, ratio, time_s};
}

std::vector<std::vector<std::size_t>> ranges(const std::vector<AtSize>& sizes) {
    std::vector<std::vector<std::size_t>> all;
    for (const Range& each : violated_ranges(sizes))
        all.push_back({each.first, each.last, each.worst});
    return all;
}

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ViolatedRanges, AreSizesNextToEachOther) {
    EXPECT_THAT(ranges({}), IsEmpty());
    EXPECT_THAT(ranges({holds(1), holds(4)}), IsEmpty());
    EXPECT_THAT(ranges({violated(1, 2.0)}), ElementsAre(ElementsAre(0, 0, 0)));
    EXPECT_THAT(ranges({holds(1), violated(4, 1.5), violated(16, 2.0), violated(64, 1.2),
                        holds(256), violated(1024, 1.1)}),
                ElementsAre(ElementsAre(1, 3, 2), ElementsAre(5, 5, 5)));
}

TEST(ViolatedRanges, AnotherReasonBeginsWhereTheRatioJumps) {
    EXPECT_THAT(ranges({violated(1, 1.2), violated(4, 900.0), violated(16, 11.0), violated(64, 3.1),
                        violated(256, 1.03)}),
                ElementsAre(ElementsAre(0, 0, 0), ElementsAre(1, 3, 1), ElementsAre(4, 4, 4)));
    EXPECT_THAT(ranges({violated(1, 3.0), violated(4, 1.0)}), ElementsAre(ElementsAre(0, 1, 0)));
}

TEST(WorthBetween, EdgesTellMostThenJumpsThenWideGaps) {
    const double edge = worth_between(holds(1), violated(4, 2.0));
    const double jump = worth_between(violated(1, 2.9), violated(4, 1.1));
    const double gap = worth_between(holds(1), holds(4));
    EXPECT_EQ(edge, 16.0);
    EXPECT_EQ(jump, 6.0);
    EXPECT_EQ(gap, 2.0);
    EXPECT_EQ(worth_between(violated(1, 2.0), holds(4)), edge);
    // Edges of slight violations are chance.
    EXPECT_EQ(worth_between(holds(1), violated(4, 1.06)), edge / 4);
}

TEST(WorthBetween, TimesJumpByMoreThanTheSize) {
    EXPECT_EQ(worth_between(holds(1, 1.0), holds(4, 7.9)), 2.0);
    EXPECT_EQ(worth_between(holds(1, 1.0), holds(4, 8.1)), 6.0);
    EXPECT_EQ(worth_between(holds(1, 1.0), holds(4, 0.7)), 2.0);
    EXPECT_EQ(worth_between(holds(1, 1.0), holds(4, 0.6)), 6.0);
}

TEST(WorthBetween, NothingMoreWhereTheGapIsNarrow) {
    EXPECT_EQ(worth_between(holds(100), violated(110, 9.0)), 0.0);
    EXPECT_GT(worth_between(holds(100), violated(111, 9.0)), 0.0);
    EXPECT_EQ(worth_between(holds(100, 1.0), holds(140, 9.0)), 0.0);
    EXPECT_EQ(worth_between(holds(1), holds(2)), 0.0);
    EXPECT_GT(worth_between(holds(1), holds(2.1)), 0.0);
}

/// Returns the number of rows of a table in which `left <= right` is violated; each figure is one
/// sample.
int violations(const std::string& table, const std::string& left, const std::string& right,
               Criterion criterion) {
    const Rule rule{.criterion = criterion, .tolerance = 0.0};
    int count = 0;
    for (const PublishedRow& row : published_tables()) {
        if (row.at("table") != table) continue;
        const std::vector<double> left_s{std::stod(row.at(left)) * 1e-6};
        const std::vector<double> right_s{std::stod(row.at(right)) * 1e-6};
        count += judge(left_s, right_s, rule, 1).verdict == Verdict::violated ? 1 : 0;
    }
    return count;
}

TEST(PublishedFigures, ShowGathervViolatingGuideline2AndTuwGathervKeepingIt) {
    using enum Criterion;
    for (const auto& [table, by_averages, by_minima] : {std::tuple{"1", 19, 19},
                                                        {"2", 15, 15},
                                                        {"3", 10, 7},
                                                        {"5", 13, 14},
                                                        {"6", 20, 22},
                                                        {"11", 18, 14}}) {
        EXPECT_EQ(violations(table, "gatherv_avg", "padded_avg", averages), by_averages) << table;
        EXPECT_EQ(violations(table, "gatherv_min", "padded_min", minima), by_minima) << table;
    }
    EXPECT_EQ(violations("1", "tuw_min", "padded_min", minima), 0);
}

TEST(PublishedFigures, AreThirtyRowsInEachOfElevenTables) {
    std::map<std::string, int> rows;
    for (const PublishedRow& row : published_tables()) ++rows[row.at("table")];
    EXPECT_EQ(rows.size(), 11U);
    for (const auto& [table, count] : rows) EXPECT_EQ(count, 30) << "table " << table;
}

}  // namespace
}  // namespace mpiaudit::judge
