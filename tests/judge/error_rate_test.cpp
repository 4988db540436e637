// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "judge/verdict.h"

namespace mpiaudit::judge {
namespace {

// Tests the rate of `violated` for a check at the boundary (a fair coin), and the mirrored error:
// exactly, and through the process that the audit uses.
constexpr int max_rounds = 200;
constexpr double alpha = 0.05;

/// Returns, for each number of rounds, the least number of wins whose evidence reaches the
/// boundary.
std::vector<int> wins_to_cross(double boundary) {
    std::vector<int> wins(max_rounds + 1);
    for (int n = 0; n <= max_rounds; ++n) {
        int s = 0;
        while (s <= n && log_e_value(n, s) < std::log(boundary)) ++s;
        wins[static_cast<std::size_t>(n)] = s;
    }
    return wins;
}

/// Returns the probability that a fair coin ever crosses, from the distribution of the wins of
/// coins that have not crossed yet.
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

TEST(ErrorRate, IsBelowAlphaExactly) {
    for (const double level : {0.5, 0.2, 0.05, 0.01, 0.001}) {
        const double exact = crossing_probability(wins_to_cross(1 / level));
        EXPECT_LE(exact, level);
        EXPECT_GT(exact, level / 10);
    }
}

// Every round is a tie, so only the coin decides.
TEST(ErrorRate, OfTheProcessIsBelowAlphaOnBothSidesAndOfViolationsDividedOverTheChecks) {
    constexpr int processes = 6000;
    for (const int checks : {1, 10}) {
        const Rule rule{.alpha = alpha, .checks = checks};
        std::map<Verdict, int> found;
        for (std::uint64_t seed = 0; seed < processes; ++seed) {
            EvidenceProcess process(rule, seed);
            while (process.rounds() < max_rounds && process.verdict() == Verdict::undecided)
                process.add((1 + rule.tolerance) * 4e-6, 4e-6);
            ++found[process.verdict()];
        }
        for (const auto& [wrong, level] :
             {std::pair{Verdict::violated, alpha / checks}, {Verdict::holds, alpha}}) {
            const double rate = found[wrong] / static_cast<double>(processes);
            EXPECT_LE(rate, level);
            // A process that ended on one side cannot cross to the other, which costs a little.
            const double exact = crossing_probability(wins_to_cross(1 / level));
            EXPECT_NEAR(rate, exact, 4 * std::sqrt(exact * (1 - exact) / processes));
        }
    }
}

// Audits in which the truth is known: lognormal times, of which the logarithms scatter by 3 %.
TEST(Planted, TenPercentAreFoundAndTwoAreNoneWhateverTheSeed) {
    std::mt19937_64 random(1);
    const auto times_s = [&](double median_s) {
        std::lognormal_distribution<double> distribution(std::log(median_s), 0.03);
        std::vector<double> all_s(200);
        for (double& each_s : all_s) each_s = distribution(random);
        return all_s;
    };
    for (const auto& [ratio, verdict] :
         {std::pair{1.0, Verdict::holds}, {1.02, Verdict::holds}, {1.1, Verdict::violated}})
        for (std::uint64_t seed = 1; seed <= 200; ++seed)
            EXPECT_EQ(judge(times_s(ratio * 20e-6), times_s(20e-6), {.checks = 100}, seed).verdict,
                      verdict)
                << ratio;
}

}  // namespace
}  // namespace mpiaudit::judge
