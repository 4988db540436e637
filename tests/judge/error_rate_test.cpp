// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "judge/verdict.h"

namespace mpiaudit::judge {
namespace {

// How often a check that holds with a fair coin's margin is called violated, and the mirrored
// error: exactly, and through the process that the audit uses.
constexpr int max_rounds = 200;
constexpr double alpha = 0.05;

/// For each number of rounds, the least number of wins whose evidence reaches the boundary.
std::vector<int> wins_to_cross(double boundary) {
    std::vector<int> wins(max_rounds + 1);
    for (int n = 0; n <= max_rounds; ++n) {
        int s = 0;
        while (s <= n && log_e_value(n, s) < std::log(boundary)) ++s;
        wins[static_cast<std::size_t>(n)] = s;
    }
    return wins;
}

/// The probability that a fair coin ever crosses, by the distribution of the wins of those that
/// have not crossed yet.
double crossing_probability(const std::vector<int>& wins) {
    std::vector<double> alive(max_rounds + 2, 0.0);
    alive[0] = 1.0;
    double crossed = 0.0;
    for (std::size_t n = 1; n <= max_rounds; ++n) {
        for (std::size_t s = n; s > 0; --s) alive[s] = (alive[s] + alive[s - 1]) / 2;
        alive[0] /= 2;
        for (auto s = static_cast<std::size_t>(wins[n]); s <= n; ++s) {
            crossed += alive[s];
            alive[s] = 0.0;
        }
    }
    return crossed;
}

double standard_error(double probability, int trials) {
    return std::sqrt(probability * (1 - probability) / trials);
}

TEST(ErrorRate, IsBelowAlphaExactly) {
    for (const double level : {0.5, 0.2, 0.05, 0.01, 0.001}) {
        const double exact = crossing_probability(wins_to_cross(1 / level));
        EXPECT_LE(exact, level);
        EXPECT_GT(exact, level / 10);
    }
}

struct Outcomes {
    int violated = 0;
    int holds = 0;
    int undecided = 0;
    int longest = 0;  ///< most rounds to a decision

    void add(Verdict verdict, int decided_at) {
        ++(verdict == Verdict::violated ? violated : verdict == Verdict::holds ? holds : undecided);
        longest = std::max(longest, decided_at);
    }
};

/// The verdicts of the process itself on checks in which every round is a tie, so that nothing but
/// its coin decides.
Outcomes outcomes_of_ties(const Rule& rule, int audits) {
    Outcomes outcomes;
    for (int audit = 0; audit < audits; ++audit) {
        EvidenceProcess process(rule, static_cast<std::uint64_t>(audit));
        while (process.rounds() < max_rounds && process.verdict() == Verdict::undecided)
            process.add((1 + rule.tolerance) * 4e-6, 4e-6);
        outcomes.add(process.verdict(), process.decided_at());
    }
    return outcomes;
}

TEST(ErrorRate, OfTheProcessIsBelowAlphaOnBothSides) {
    const int audits = 4000;
    const Outcomes outcomes = outcomes_of_ties({.alpha = alpha}, audits);
    // A process that ended on one side can no longer cross to the other, which costs a little.
    const double exact = crossing_probability(wins_to_cross(1 / alpha));
    const double noise = 4 * standard_error(exact, audits);
    for (const int wrong : {outcomes.violated, outcomes.holds}) {
        EXPECT_LE(wrong, alpha * audits);
        EXPECT_NEAR(static_cast<double>(wrong) / audits, exact, noise);
    }
    EXPECT_EQ(outcomes.violated + outcomes.holds + outcomes.undecided, audits);
}

TEST(ErrorRate, OfTheProcessIsDividedOverTheChecks) {
    const int checks = 10;
    const int processes = 6000;
    const Outcomes outcomes = outcomes_of_ties({.alpha = alpha, .checks = checks}, processes);
    EXPECT_LE(outcomes.violated, alpha / checks * processes);
    EXPECT_GT(outcomes.violated, 0);
    const double exact = crossing_probability(wins_to_cross(1 / alpha));
    EXPECT_NEAR(static_cast<double>(outcomes.holds) / processes, exact,
                4 * standard_error(exact, processes));
}

// Synthetic audits in which the truth is known.
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

constexpr int seeds = 200;

Outcomes audit(double ratio, double sigma, const Rule& rule) {
    Outcomes outcomes;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const std::vector<double> left_s = Timer(ratio * 20e-6, sigma, 2 * seed).samples(200);
        const std::vector<double> right_s = Timer(20e-6, sigma, 2 * seed + 1).samples(200);
        const Judgement judgement = judge(left_s, right_s, rule, seed);
        outcomes.add(judgement.verdict, judgement.decided_at);
    }
    return outcomes;
}

const Rule family_rule{.checks = 100};

TEST(Planted, WhatIsAsFastOrSlowerWithinTheToleranceHolds) {
    for (const double ratio : {1.00, 1.02})
        EXPECT_EQ(audit(ratio, 0.03, family_rule).holds, seeds) << ratio;
}

TEST(Planted, WhatIsSlowerByTenPercentIsViolated) {
    EXPECT_EQ(audit(1.10, 0.03, family_rule).violated, seeds);
}

TEST(Planted, WhatIsSlowerByHalfIsViolatedInFewRounds) {
    const Outcomes found = audit(1.50, 0.03, family_rule);
    EXPECT_EQ(found.violated, seeds);
    // The fewest rounds in which E(n, n) = (2^(n+1) - 1) / (n + 1) reaches 100 / 0.05.
    EXPECT_EQ(found.longest, 14);
}

TEST(Planted, HeavyNoiseDoesNotMakeAViolation) {
    // Without tolerance equal times are the hardest case: a fair coin in every round.
    const Outcomes found = audit(1.00, 1.5, {.tolerance = 0.0});
    EXPECT_LE(found.violated, 0.05 * seeds);
    EXPECT_LE(found.holds, 0.05 * seeds);
    EXPECT_EQ(audit(1.00, 1.5, family_rule).violated, 0);
}

}  // namespace
}  // namespace mpiaudit::judge
