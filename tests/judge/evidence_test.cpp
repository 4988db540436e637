// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>

#include "judge/verdict.h"

namespace mpiaudit::judge {
namespace {

/// The accuracy is relative if the logarithm is large, and absolute if it is small.
void expect_log_near(double actual, double expected, double accuracy, int n, int s) {
    EXPECT_NEAR(actual, expected, accuracy * std::max(1.0, std::abs(expected)))
        << "n = " << n << ", s = " << s;
}

/// ln((exp(a) + exp(b)) / 2)
double log_mean(double a, double b) {
    const double high = std::max(a, b);
    return high + std::log1p(std::exp(std::min(a, b) - high)) - std::numbers::ln2;
}

TEST(LogEValue, HasClosedFormsAtTheEnds) {
    for (const int n : {1, 2, 3, 7, 12, 30, 52, 200, 1000, 5000, 100000}) {
        // E(n, n) = (2^(n+1) - 1) / (n + 1) and E(n, 0) = 1 / (n + 1)
        const double all = (n + 1) * std::numbers::ln2 + std::log1p(-std::exp2(-n - 1));
        expect_log_near(log_e_value(n, n), all - std::log(n + 1.0), 1e-12, n, n);
        expect_log_near(log_e_value(n, 0), -std::log(n + 1.0), 1e-15, n, 0);
    }
}

TEST(LogEValue, IsTheFormulaInBetaFunctions) {
    for (int n = 0; n <= 400; n += n < 60 ? 1 : 7)
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

// E is an e-process because the capital stays constant on average against a fair coin.
TEST(LogEValue, IsAMartingaleUnderAFairCoin) {
    std::mt19937_64 random(1);
    for (int trial = 0; trial < 2000; ++trial) {
        const int n = static_cast<int>(random() % 100000);
        const int s = static_cast<int>(random() % static_cast<unsigned>(n + 1));
        expect_log_near(log_mean(log_e_value(n + 1, s + 1), log_e_value(n + 1, s)),
                        log_e_value(n, s), 1e-12, n, s);
    }
}

TEST(LogEValue, RefusesImpossibleCounts) {
    EXPECT_THROW(log_e_value(3, 4), std::invalid_argument);
    EXPECT_THROW(log_e_value(3, -1), std::invalid_argument);
    EXPECT_THROW(log_e_value(-1, 0), std::invalid_argument);
}

// Bit 63 of the first 64 outputs, the first in the lowest bit; 1234567 is the seed of the published
// sequence.
TEST(FairCoin, IsTheGeneratorSplitmix64) {
    for (const auto& [seed, expected] : {std::pair{std::uint64_t{1234567}, 0xbc57c31baf851254U},
                                         {0xfedcba9876543210U, 0x39f7f13af58ef00cU}}) {
        std::uint64_t heads = 0;
        for (std::uint64_t round = 64; round >= 1; --round)
            heads = heads << 1 | (fair_coin(seed, round) ? 1 : 0);
        EXPECT_EQ(heads, expected) << seed;
    }
}

/// Returns the process after the rounds of a word: '>' left is slower, '<' left is not slower, '='
/// a tie.
EvidenceProcess after(const std::string& rounds, const Rule& rule = {}, std::uint64_t seed = 1) {
    EvidenceProcess process(rule, seed);
    for (const char round : rounds)
        process.add(round == '>' ? 2.0 : round == '<' ? 0.5 : 1.0 + rule.tolerance, 1.0);
    return process;
}

std::string repeated(int times, const std::string& rounds) {
    std::string all;
    for (int i = 0; i < times; ++i) all += rounds;
    return all;
}

/// The first n with E(n, n) = (2^(n+1) - 1) / (n + 1) >= boundary.
int wins_needed(double boundary) {
    int n = 1;
    while ((std::exp2(n + 1) - 1) / (n + 1) < boundary) ++n;
    return n;
}

TEST(EvidenceProcess, ForecastsWhetherMoreRoundsWouldDecide) {
    // 50 of 100 wins. With luck they are 0.5 + sqrt(1 - 100/N) / 10 of N.
    const EvidenceProcess even = after(repeated(50, "><"));
    EXPECT_TRUE(even.has_prospects(370));
    EXPECT_FALSE(even.has_prospects(350));
    EXPECT_GE(log_e_value(370, 216), std::log(20.0));
    EXPECT_LT(log_e_value(350, 204), std::log(20.0));
    // Nothing is left to luck at last.
    EXPECT_FALSE(even.has_prospects(100));
    // Either side counts, at its own level: 36 of 60 are 0.72 of 1000 with luck, 0.68 of 100.
    const std::string mostly = repeated(12, "><><>");
    const std::string rarely = repeated(12, "<><><");
    const Rule many{.checks = 1000000};
    EXPECT_TRUE(after(rarely, many).has_prospects(100));
    EXPECT_FALSE(after(mostly, many).has_prospects(100));
    EXPECT_TRUE(after(mostly, many).has_prospects(1000));
}

TEST(EvidenceProcess, KnowsTheFirstRoundThatCouldDecide) {
    // Like a process that is looked at after every round: no decision comes before, and the rounds
    // that follow all of one kind decide in that very round.
    const Rule many{.checks = 1000};
    for (const std::string& so_far : {std::string(), std::string(">"), std::string("<<<<<<"),
                                      repeated(40, "><"), repeated(11, ">") + repeated(3, "<")}) {
        const int earliest = after(so_far, many).earliest_decision();
        const int more = earliest - static_cast<int>(so_far.size());
        ASSERT_GE(more, 1);
        int decided = 0;
        for (const char* kind : {">", "<"}) {
            EXPECT_EQ(after(so_far + repeated(more - 1, kind), many).verdict(), Verdict::undecided);
            decided += after(so_far + repeated(more, kind), many).decided_at() == earliest;
        }
        EXPECT_EQ(decided, 1) << so_far;
    }
    EXPECT_EQ(after("").earliest_decision(), 7);
    EXPECT_EQ(after("", {.deterministic = true}).earliest_decision(), 1);
}

TEST(EvidenceProcess, ForecastsNothingFromAFewRounds) {
    EXPECT_TRUE(after("").has_prospects(1));
    EXPECT_TRUE(after(repeated(19, "><") + ">").has_prospects(40));
    EXPECT_FALSE(after(repeated(20, "><")).has_prospects(40));
}

TEST(EvidenceProcess, DecidesInTheFirstRoundThatReachesTheBoundary) {
    // E(6, 6) = 127/7 < 20 <= 255/8 = E(7, 7), and E(11, 11) = 4095/12 < 600 <= 8191/13.
    EXPECT_EQ(wins_needed(20), 7);
    EXPECT_EQ(wins_needed(600), 12);
    for (const int checks : {1, 2, 30, 1000, 1000000}) {
        const Rule rule{.checks = checks};
        const int needed = wins_needed(checks / 0.05);
        EXPECT_EQ(after(repeated(needed - 1, ">"), rule).verdict(), Verdict::undecided);
        EXPECT_EQ(after(repeated(needed, ">"), rule).verdict(), Verdict::violated);
        EXPECT_EQ(after(repeated(needed, ">"), rule).decided_at(), needed);
        // `holds` does not depend on the number of checks.
        EXPECT_EQ(after(repeated(6, "<"), rule).verdict(), Verdict::undecided);
        EXPECT_EQ(after(repeated(7, "<"), rule).verdict(), Verdict::holds);
        EXPECT_EQ(after(repeated(7, "<"), rule).decided_at(), 7);
    }
}

TEST(EvidenceProcess, HasItsBoundaryAtChecksOverAlpha) {
    // E(7, 7) = 255/8
    for (const int checks : {1, 5}) {
        const double alpha = checks * 8 / 255.0;
        const Rule within{.alpha = alpha * (1 + 1e-12), .checks = checks};
        const Rule beyond{.alpha = alpha * (1 - 1e-12), .checks = checks};
        EXPECT_EQ(after(repeated(7, ">"), within).verdict(), Verdict::violated);
        EXPECT_EQ(after(repeated(7, ">"), beyond).verdict(), Verdict::undecided);
    }
    EXPECT_EQ(after(repeated(7, "<"), {.alpha = 8 / 255.0 * (1 + 1e-12)}).verdict(),
              Verdict::holds);
    EXPECT_EQ(after(repeated(7, "<"), {.alpha = 8 / 255.0 * (1 - 1e-12)}).verdict(),
              Verdict::undecided);
}

TEST(EvidenceProcess, ReportsTheEvidenceOfBothSides) {
    for (const auto& [rounds, slower] :
         {std::pair{std::string(), 0}, {"><>>", 3}, {"<" + repeated(9, ">"), 9}}) {
        const EvidenceProcess process = after(rounds);
        const auto n = static_cast<int>(rounds.size());
        EXPECT_EQ(process.verdict(), Verdict::undecided);
        EXPECT_EQ(process.rounds(), n);
        EXPECT_EQ(process.decided_at(), 0);
        EXPECT_EQ(process.slower(), slower);
        EXPECT_EQ(process.log_e_violated(), log_e_value(n, slower));
        EXPECT_EQ(process.log_e_holds(), log_e_value(n, n - slower));
    }
    EXPECT_EQ(after("<" + repeated(10, ">")).verdict(), Verdict::violated);
}

TEST(EvidenceProcess, FreezesAtTheDecision) {
    const EvidenceProcess process = after(repeated(7, ">") + repeated(500, "<"));
    EXPECT_EQ(process.verdict(), Verdict::violated);
    EXPECT_EQ(process.rounds(), 507);
    EXPECT_EQ(process.decided_at(), 7);
    EXPECT_EQ(process.slower(), 7);
    EXPECT_EQ(process.log_e_violated(), log_e_value(7, 7));
    EXPECT_EQ(process.log_e_holds(), log_e_value(7, 0));
    EXPECT_EQ(after(repeated(7, "<") + repeated(500, ">")).verdict(), Verdict::holds);
}

TEST(EvidenceProcess, CountsARoundOnlyBeyondTheTolerance) {
    const Rule rule{.tolerance = 0.25};
    EvidenceProcess process(rule, 1);
    process.add(std::nextafter(1.25, 2.0), 1.0);
    EXPECT_EQ(process.slower(), 1);
    process.add(std::nextafter(1.25, 1.0), 1.0);
    EXPECT_EQ(process.slower(), 1);
}

TEST(EvidenceProcess, TossesTheCoinOfTheRoundForATie) {
    const Rule patient{.alpha = 1e-300};
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        EvidenceProcess process(patient, seed);
        int slower = 0;
        for (std::uint64_t round = 1; round <= 100; ++round) {
            process.add(round % 2 == 0 ? 0.0 : 1.05 * 3e-6, round % 2 == 0 ? 0.0 : 3e-6);
            slower += fair_coin(seed, round) ? 1 : 0;
            ASSERT_EQ(process.slower(), slower) << "seed " << seed << ", round " << round;
        }
    }
    EXPECT_NE(after(repeated(100, "="), patient, 1).slower(),
              after(repeated(100, "="), patient, 2).slower());
}

TEST(EvidenceProcess, DecidesADeterministicCheckInOneRound) {
    const Rule exact{.tolerance = 0.25, .checks = 1000, .deterministic = true};
    EvidenceProcess slower(exact, 1);
    slower.add(std::nextafter(1.25, 2.0), 1.0);
    slower.add(1.0, 1.0);
    EXPECT_EQ(slower.verdict(), Verdict::violated);
    EXPECT_EQ(slower.decided_at(), 1);
    EXPECT_EQ(slower.slower(), 1);
    EXPECT_EQ(slower.log_e_violated(), 0.0);
    EXPECT_EQ(slower.log_e_holds(), 0.0);
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
        EvidenceProcess equal(exact, seed);
        equal.add(1.25, 1.0);
        EXPECT_EQ(equal.verdict(), Verdict::holds);
        EXPECT_EQ(equal.slower(), 0);
    }
}

TEST(EvidenceProcess, RefusesSenselessRulesAndTimes) {
    const double nan = std::nan("");
    for (const Rule& rule : {Rule{.tolerance = -0.1}, Rule{.tolerance = nan}, Rule{.alpha = 0.0},
                             Rule{.alpha = 1.0}, Rule{.alpha = nan}, Rule{.checks = 0}})
        EXPECT_THROW(EvidenceProcess(rule, 1), std::invalid_argument);
    EvidenceProcess process({}, 1);
    for (const double bad : {-1e-9, nan, std::numeric_limits<double>::infinity()}) {
        EXPECT_THROW(process.add(bad, 1.0), std::invalid_argument);
        EXPECT_THROW(process.add(1.0, bad), std::invalid_argument);
    }
    EXPECT_EQ(process.rounds(), 0);
}

}  // namespace
}  // namespace mpiaudit::judge
