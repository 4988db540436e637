// SPDX-License-Identifier: BSD-3-Clause
#include "judge/evidence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>

namespace mpiaudit::judge {
namespace {

/// Relative where the logarithm is large, absolute where it is small.
void expect_log_near(double actual, double expected, double accuracy, int n, int s) {
    EXPECT_NEAR(actual, expected, accuracy * std::max(1.0, std::abs(expected)))
        << "n = " << n << ", s = " << s;
}

/// ln((exp(a) + exp(b)) / 2)
double log_mean(double a, double b) {
    const double high = std::max(a, b);
    return high + std::log1p(std::exp(std::min(a, b) - high)) - std::numbers::ln2;
}

TEST(LogEValue, IsOneBeforeTheFirstRound) {
    EXPECT_EQ(log_e_value(0, 0), 0.0);
}

TEST(LogEValue, HasClosedFormsAtTheEnds) {
    EXPECT_DOUBLE_EQ(log_e_value(1, 0), std::log(0.5));
    EXPECT_DOUBLE_EQ(log_e_value(1, 1), std::log(1.5));
    EXPECT_DOUBLE_EQ(log_e_value(2, 1), std::log(2.0 / 3));
    for (const int n : {1, 2, 3, 7, 12, 30, 52, 200, 1000, 5000, 100000}) {
        // E(n, n) = (2^(n+1) - 1) / (n + 1) and E(n, 0) = 1 / (n + 1)
        const double all = (n + 1) * std::numbers::ln2 + std::log1p(-std::exp2(-n - 1));
        expect_log_near(log_e_value(n, n), all - std::log(n + 1.0), 1e-12, n, n);
        expect_log_near(log_e_value(n, 0), -std::log(n + 1.0), 1e-15, n, 0);
    }
}

TEST(LogEValue, IsTheIntegralOverTheStakes) {
    // Gauss-Legendre with 30 points integrates polynomials of degree up to 59 exactly.
    using boost::math::quadrature::gauss;
    for (int n = 0; n <= 59; ++n)
        for (int s = 0; s <= n; ++s) {
            const double integral = gauss<double, 30>::integrate(
                [=](double l) { return std::pow(1 + l, s) * std::pow(1 - l, n - s); }, 0.0, 1.0);
            expect_log_near(log_e_value(n, s), std::log(integral), 1e-12, n, s);
        }
}

TEST(LogEValue, IsTheFormulaInBetaFunctions) {
    for (int n = 0; n <= 400; n += 7)
        for (int s = 0; s <= n; ++s) {
            const double a = s + 1.0;
            const double b = n - s + 1.0;
            const double e =
                std::exp2(n + 1) * boost::math::beta(a, b) * boost::math::ibetac(a, b, 0.5);
            expect_log_near(log_e_value(n, s), std::log(e), 1e-12, n, s);
        }
}

TEST(LogEValue, AgreesWithIntegerArithmetic) {
    struct Row {
        int n, s;
        double log_e;
    };
    // sum over j <= s of C(n+1, j) / ((n+1) C(n, s)), evaluated in exact integers.
    for (const auto& [n, s, log_e] :
         {Row{1000, 500, -3.2288357872210912435}, Row{1000, 501, -3.1776670385156077874},
          Row{1000, 530, -0.76576093459808349382}, Row{1000, 999, 680.02381768220789709},
          Row{3000, 1501, -3.7482694407368222946}, Row{3000, 1600, 3.5847618171983626025},
          Row{3000, 2950, 1820.6979744625431573}, Row{100000, 10, -11.512735448918641936},
          Row{100000, 49000, -7.6245049017358126704}, Row{100000, 50000, -5.5306788797903871527},
          Row{100000, 50001, -5.5256253674296836155}, Row{100000, 50400, -1.6432519462289015420},
          Row{100000, 51000, 15.163601808678309030}, Row{100000, 60000, 2008.6934125112856615},
          Row{100000, 90000, 36801.072365452636482}, Row{100000, 99999, 69292.385342245200430}})
        expect_log_near(log_e_value(n, s), log_e, 1e-12, n, s);
}

// The reason why E is an e-process: against a fair coin the capital stays the same on average.
TEST(LogEValue, IsAMartingaleUnderAFairCoin) {
    for (int n = 0; n <= 300; ++n)
        for (int s = 0; s <= n; ++s)
            expect_log_near(log_mean(log_e_value(n + 1, s + 1), log_e_value(n + 1, s)),
                            log_e_value(n, s), 1e-12, n, s);
}

TEST(LogEValue, IsAMartingaleInLongRuns) {
    std::mt19937_64 random(1);
    for (int trial = 0; trial < 2000; ++trial) {
        const int n = 300 + static_cast<int>(random() % 99700);
        const int s = static_cast<int>(random() % static_cast<unsigned>(n + 1));
        expect_log_near(log_mean(log_e_value(n + 1, s + 1), log_e_value(n + 1, s)),
                        log_e_value(n, s), 1e-12, n, s);
    }
}

// A win raises the capital and a loss lowers it, so a worse coin makes it a supermartingale.
TEST(LogEValue, RisesWithAWinAndFallsWithALoss) {
    for (const int n : {0, 1, 2, 9, 50, 199, 2000, 100000})
        for (int s = 0; s <= n; s += 1 + n / 50) {
            EXPECT_GT(log_e_value(n + 1, s + 1), log_e_value(n, s)) << n << " " << s;
            EXPECT_LT(log_e_value(n + 1, s), log_e_value(n, s)) << n << " " << s;
        }
}

TEST(LogEValue, AndItsMirrorAddUpToTheIntegralOverAllStakes) {
    // E(n, s) + E(n, n-s) = 2^(n+1) / ((n+1) C(n, s))
    double log_choose = 0.0;
    const int n = 900;
    for (int s = 0; s <= n; ++s) {
        const double both = (n + 1) * std::numbers::ln2 - std::log(n + 1.0) - log_choose;
        expect_log_near(log_mean(log_e_value(n, s), log_e_value(n, n - s)) + std::numbers::ln2,
                        both, 1e-12, n, s);
        log_choose += std::log((n - s) / (s + 1.0));
    }
}

TEST(LogEValue, NeverSpeaksForBothSides) {
    for (int n = 1; n <= 500; ++n)
        for (int s = 0; 2 * s <= n; ++s) EXPECT_LT(log_e_value(n, s), 0.0) << n << " " << s;
}

TEST(LogEValue, RefusesImpossibleCounts) {
    EXPECT_THROW(log_e_value(3, 4), std::invalid_argument);
    EXPECT_THROW(log_e_value(3, -1), std::invalid_argument);
    EXPECT_THROW(log_e_value(-1, 0), std::invalid_argument);
}

TEST(FairCoin, IsTheGeneratorSplitmix64) {
    // Bit 63 of the first 64 outputs for seed 1234567, the first in the lowest bit. The published
    // sequence begins with 6457827717110365317, 3203168211198807973, 9817491932198370423.
    std::uint64_t heads = 0;
    for (std::uint64_t round = 64; round >= 1; --round)
        heads = heads << 1 | (fair_coin(1234567, round) ? 1 : 0);
    EXPECT_EQ(heads, 0xbc57c31baf851254U);
}

TEST(FairCoin, IsTheSameEachTimeAndDifferentForEachSeed) {
    int differences = 0;
    for (std::uint64_t round = 1; round <= 1000; ++round) {
        EXPECT_EQ(fair_coin(42, round), fair_coin(42, round));
        if (fair_coin(42, round) != fair_coin(43, round)) ++differences;
    }
    // P(|Bin(1000, 1/2) - 500| > 80) < 1e-6
    EXPECT_NEAR(differences, 500, 80);
}

/// P(Bin(n, 1/2) is at least as far from n/2 as the observed number)
double two_sided_p_value(int heads, int n) {
    const double most = std::max(heads, n - heads);
    return std::min(1.0, 2 * boost::math::ibeta(most, n - most + 1, 0.5));
}

TEST(FairCoin, IsFairOverRoundsSeedsAndNeighbours) {
    const int n = 100000;
    int over_rounds = 0;
    int over_seeds = 0;
    int repeats = 0;
    for (std::uint64_t k = 1; k <= n; ++k) {
        over_rounds += fair_coin(7, k) ? 1 : 0;
        over_seeds += fair_coin(k, 1) ? 1 : 0;
        repeats += fair_coin(7, k) == fair_coin(7, k + 1) ? 1 : 0;
    }
    EXPECT_GT(two_sided_p_value(over_rounds, n), 1e-3) << over_rounds;
    EXPECT_GT(two_sided_p_value(over_seeds, n), 1e-3) << over_seeds;
    EXPECT_GT(two_sided_p_value(repeats, n), 1e-3) << repeats;
}

}  // namespace
}  // namespace mpiaudit::judge
