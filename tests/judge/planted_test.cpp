// SPDX-License-Identifier: BSD-3-Clause
// Synthetic audits in which the truth is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "judge/verdict.h"

namespace mpiaudit::judge {
namespace {

/// Lognormal times. The standard library's distributions differ between implementations, so the
/// transformation (Box and Muller) is written out.
class Timer {
  public:
    Timer(double median_s, double sigma, std::uint64_t seed)
        : median_s_(median_s), sigma_(sigma), random_(seed) {}

    std::vector<double> samples(int n) {
        std::vector<double> times_s(static_cast<std::size_t>(n));
        for (double& time_s : times_s) time_s = median_s_ * std::exp(sigma_ * normal());
        return times_s;
    }

  private:
    double uniform() { return (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53; }
    double normal() {
        const double radius = std::sqrt(-2 * std::log(uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

    double median_s_;
    double sigma_;
    std::mt19937_64 random_;
};

struct Tally {
    int violated = 0;
    int holds = 0;
    int undecided = 0;
    int longest = 0;  ///< most rounds to a decision
};

constexpr int seeds = 200;

Tally audit(double ratio, double sigma, const Rule& rule) {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const std::vector<double> left_s = Timer(ratio * 20e-6, sigma, 2 * seed).samples(200);
        const std::vector<double> right_s = Timer(20e-6, sigma, 2 * seed + 1).samples(200);
        const Judgement judgement = judge(left_s, right_s, rule, seed);
        tally.violated += judgement.verdict == Verdict::violated ? 1 : 0;
        tally.holds += judgement.verdict == Verdict::holds ? 1 : 0;
        tally.undecided += judgement.verdict == Verdict::undecided ? 1 : 0;
        tally.longest = std::max(tally.longest, judgement.decided_at);
    }
    return tally;
}

const Rule family_rule{.checks = 100};

TEST(Planted, WhatIsEquallyFastHolds) {
    const Tally tally = audit(1.00, 0.03, family_rule);
    EXPECT_EQ(tally.violated, 0);
    EXPECT_EQ(tally.holds, seeds);
}

TEST(Planted, WhatIsSlowerWithinTheToleranceHolds) {
    const Tally tally = audit(1.02, 0.03, family_rule);
    EXPECT_EQ(tally.violated, 0);
    EXPECT_EQ(tally.holds, seeds);
}

TEST(Planted, WhatIsSlowerByTenPercentIsViolated) {
    EXPECT_EQ(audit(1.10, 0.03, family_rule).violated, seeds);
}

TEST(Planted, WhatIsSlowerByHalfIsViolatedInFewRounds) {
    const Tally tally = audit(1.50, 0.03, family_rule);
    EXPECT_EQ(tally.violated, seeds);
    // The fewest rounds in which E(n, n) = (2^(n+1) - 1) / (n + 1) reaches 100 / 0.05.
    EXPECT_EQ(tally.longest, 14);
}

TEST(Planted, HeavyNoiseDoesNotMakeAViolation) {
    // Without tolerance equal times are the hardest case: a fair coin in every round.
    const Tally tally = audit(1.00, 1.5, {.tolerance = 0.0});
    EXPECT_LE(tally.violated, 0.05 * seeds);
    EXPECT_LE(tally.holds, 0.05 * seeds);
    EXPECT_EQ(audit(1.00, 1.5, family_rule).violated, 0);
}

}  // namespace
}  // namespace mpiaudit::judge
