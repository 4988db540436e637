// SPDX-License-Identifier: BSD-3-Clause
#include "judge/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace mpiaudit::judge {
namespace {

using Samples = std::vector<double>;

Samples one_to(int n) {
    Samples samples(static_cast<std::size_t>(n));
    std::iota(samples.begin(), samples.end(), 1.0);
    return samples;
}

TEST(Describe, TakesForOutliersWhatLiesBeyondTheFences) {
    const auto outliers = [](const Samples& samples) { return describe(samples).outliers; };
    // Positions 1.25 and 3.75: Q1 = 1.25, Q3 = 3.75, fences -2.5 and 7.5.
    EXPECT_EQ(outliers({0, 1, 2, 3, 4, 7.5}), 0U);
    EXPECT_EQ(outliers({0, 1, 2, 3, 4, 7.6}), 1U);
    // Quartiles that are samples, at the positions 2 and 6: Q1 = 15, Q3 = 50, fences -37.5, 102.5.
    EXPECT_EQ(outliers({-37.5, 7, 15, 20, 36, 40, 50, 60, 102.5}), 0U);
    EXPECT_EQ(outliers({-38, 7, 15, 20, 36, 40, 50, 60, 103}), 2U);
    // Q1 = 2, Q3 = 4, fences -1 and 7, which are within.
    EXPECT_EQ(outliers({1, 2, 3, 4, 7}), 0U);
    EXPECT_EQ(outliers({1, 2, 3, 4, std::nextafter(7.0, 8.0)}), 1U);
    EXPECT_EQ(outliers({-1, 2, 3, 4, 5}), 0U);
    EXPECT_EQ(outliers({std::nextafter(-1.0, -2.0), 2, 3, 4, 5}), 1U);
    EXPECT_EQ(outliers({0.1}), 0U);
    EXPECT_EQ(outliers(Samples(7, 0.1)), 0U);
}

TEST(Describe, LeavesOutOutliersAsItIsToldAndCountsThem) {
    // Q1 = 11, Q3 = 12.75, fences 8.375 and 15.375.
    const Samples samples{12, 100, 10, 11, 12, 13, -50, 11, 13, 12};
    struct Row {
        Outliers left_out;
        std::size_t outliers;
        double mean, minimum;
    };
    for (const Row& row :
         {Row{Outliers::two_sided, 2, 94.0 / 8, 10}, Row{Outliers::upper, 1, 44.0 / 9, -50},
          Row{Outliers::none, 0, 14.4, -50}}) {
        const Summary summary = describe(samples, row.left_out);
        EXPECT_EQ(summary.samples, 10U);
        EXPECT_EQ(summary.outliers, row.outliers);
        EXPECT_DOUBLE_EQ(summary.mean, row.mean);
        EXPECT_EQ(summary.median, 12.0);
        EXPECT_EQ(summary.minimum, row.minimum);
        EXPECT_EQ(summary.maximum, 100.0) << "of all samples";
        EXPECT_DOUBLE_EQ(summary.raw_mean, 14.4);
        EXPECT_EQ(summary.raw_minimum, -50.0);
    }
    EXPECT_EQ(describe(samples).outliers, 2U);
}

TEST(Describe, QuantilesAndLongCallsAreOfAllSamples) {
    // 100 calls of which two are longer than ten medians; both filters leave the two out.
    Samples samples(98, 2.0);
    samples.insert(samples.end(), {20.5, 100.0});
    for (const Outliers each : {Outliers::two_sided, Outliers::upper, Outliers::none}) {
        const Summary summary = describe(samples, each);
        EXPECT_EQ(summary.p90, 2.0);
        // Between the 99th and the 100th number, at 0.01 of the way.
        EXPECT_NEAR(summary.p99, 20.5 + 0.01 * 79.5, 1e-9);
        EXPECT_DOUBLE_EQ(summary.long_share, 120.5 / 316.5);
    }
    EXPECT_EQ(describe(Samples(9, 2.0)).long_share, 0.0);
    EXPECT_EQ(describe(Samples{0, 0, 0, 5}).long_share, 0.0) << "a coarse clock";
    const Summary calm = describe(Samples(9, 2.0)), wild = describe(samples);
    const Summary joint = over_launches(std::vector{wild, calm, wild});
    EXPECT_EQ(joint.p99, wild.p99);
    EXPECT_EQ(joint.long_share, wild.long_share);
}

TEST(Describe, TakesTheIntervalOfTheMeanFromStudentsTable) {
    // s^2 = 2.5, and the table gives t = 2.776 (95 %) and 4.604 (99 %) for 4 degrees of freedom.
    const Summary summary = describe(one_to(5));
    EXPECT_DOUBLE_EQ(summary.mean, 3.0);
    EXPECT_DOUBLE_EQ(summary.standard_deviation, std::sqrt(2.5));
    EXPECT_NEAR(summary.mean_high - 3.0, 2.776 * std::sqrt(0.5), 5e-4);
    EXPECT_NEAR(3.0 - summary.mean_low, 2.776 * std::sqrt(0.5), 5e-4);
    EXPECT_NEAR(describe(one_to(5), Outliers::two_sided, 0.99).mean_high - 3.0,
                4.604 * std::sqrt(0.5), 5e-4);
    // t = tan(0.475 pi) exactly for 1 degree of freedom; the standard error of 1, 2 is 1/2.
    EXPECT_NEAR(describe(one_to(2)).mean_high, 1.5 + 0.5 * std::tan(0.475 * std::numbers::pi),
                1e-12);
}

TEST(Describe, OneSampleHasADegenerateInterval) {
    const Summary summary = describe(Samples{0.25});
    EXPECT_EQ(summary.samples, 1U);
    EXPECT_EQ(summary.outliers, 0U);
    EXPECT_EQ(summary.standard_deviation, 0.0);
    for (const double value : {summary.mean, summary.median, summary.minimum, summary.maximum,
                               summary.mean_low, summary.mean_high})
        EXPECT_EQ(value, 0.25);
}

TEST(MedianInterval, HasTheRanksAndCoverageOfTheTables) {
    struct Row {
        int n, rank;
        double coverage;
    };
    // Ranks as in Conover, Practical Nonparametric Statistics, table of the sign test; coverage
    // 1 - 2 sum over j < rank of C(n, j) / 2^n.
    for (const auto& [n, rank, coverage] :
         {Row{1, 1, 0.0}, Row{2, 1, 0.5}, Row{5, 1, 0.9375}, Row{6, 1, 0.96875},
          Row{8, 1, 0.9921875}, Row{9, 2, 0.9609375}, Row{10, 2, 0.978515625},
          Row{11, 2, 0.98828125}, Row{12, 3, 1 - 2 * 79.0 / 4096},
          Row{20, 6, 1 - 2 * 21700.0 / 1048576}, Row{25, 8, 1 - 2 * 726206.0 / 33554432}}) {
        const MedianInterval interval = median_interval(one_to(n));
        EXPECT_EQ(interval.median, (n + 1) / 2.0) << n;
        EXPECT_EQ(interval.low, rank) << n;
        EXPECT_EQ(interval.high, n + 1 - rank) << n;
        EXPECT_NEAR(interval.coverage, coverage, 1e-14) << n;
    }
}

TEST(MedianInterval, IsTheNarrowestThatReachesTheConfidence) {
    EXPECT_EQ(median_interval(one_to(10), 0.97).low, 2.0);
    EXPECT_EQ(median_interval(one_to(10), 0.98).low, 1.0);
    EXPECT_EQ(median_interval(one_to(10), 0.85).low, 3.0);
}

TEST(MedianInterval, ApproachesTheNormalApproximation) {
    // Ranks n/2 - 0.98 sqrt(n), up to one.
    const int n = 10000;
    const MedianInterval interval = median_interval(one_to(n));
    EXPECT_NEAR(interval.low, n / 2 - 98, 1.5);
    EXPECT_EQ(interval.low + interval.high, n + 1.0);
    EXPECT_GE(interval.coverage, 0.95);
    EXPECT_LT(interval.coverage, 0.955);
}

TEST(MedianInterval, AllowsInfiniteRatios) {
    const double infinity = std::numeric_limits<double>::infinity();
    const MedianInterval interval = median_interval(Samples{infinity, 1.0, infinity, infinity});
    EXPECT_EQ(interval.median, infinity);
    EXPECT_EQ(interval.low, 1.0);
    EXPECT_EQ(interval.high, infinity);
}

TEST(Statistics, RefuseWhatHasNone) {
    const Samples nothing;
    const Samples not_a_number{1.0, std::numeric_limits<double>::quiet_NaN(), 2.0};
    const Samples infinite{1.0, std::numeric_limits<double>::infinity()};
    for (const Samples& samples : {nothing, not_a_number}) {
        EXPECT_THROW(describe(samples), std::invalid_argument);
        EXPECT_THROW(median_interval(samples), std::invalid_argument);
    }
    EXPECT_THROW(describe(infinite), std::invalid_argument);
    for (const double confidence : {0.0, 1.0, 95.0, std::nan("")}) {
        EXPECT_THROW(describe(one_to(3), Outliers::two_sided, confidence), std::invalid_argument);
        EXPECT_THROW(median_interval(one_to(3), confidence), std::invalid_argument);
    }
}

}  // namespace
}  // namespace mpiaudit::judge
