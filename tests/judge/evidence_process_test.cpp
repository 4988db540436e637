// SPDX-License-Identifier: BSD-3-Clause
#include "judge/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "judge/evidence.h"

namespace mpiaudit::judge {
namespace {

/// The process after the rounds of a word: '>' left is slower, '<' it is not, '=' a tie.
EvidenceProcess after(const std::string& rounds, const Rule& rule = {}, std::uint64_t seed = 1) {
    EvidenceProcess process(rule, seed);
    for (const char round : rounds)
        process.add(round == '>' ? 2.0 : round == '<' ? 0.5 : 1.0 + rule.tolerance, 1.0);
    return process;
}

std::string repeated(int times, char round) {
    return std::string(static_cast<std::size_t>(times), round);
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

TEST(EvidenceProcess, IsUndecidedAtFirst) {
    const EvidenceProcess process = after("");
    EXPECT_EQ(process.verdict(), Verdict::undecided);
    EXPECT_EQ(process.rounds(), 0);
    EXPECT_EQ(process.decided_at(), 0);
    EXPECT_EQ(process.log_e_violated(), 0.0);
    EXPECT_EQ(process.log_e_holds(), 0.0);
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
                                      repeated(40, "><"), repeated(11, '>') + repeated(3, '<')}) {
        const int earliest = after(so_far, many).earliest_decision();
        const int more = earliest - static_cast<int>(so_far.size());
        ASSERT_GE(more, 1);
        int decided = 0;
        for (const char kind : {'>', '<'}) {
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
        EXPECT_EQ(after(repeated(needed - 1, '>'), rule).verdict(), Verdict::undecided);
        EXPECT_EQ(after(repeated(needed, '>'), rule).verdict(), Verdict::violated);
        EXPECT_EQ(after(repeated(needed, '>'), rule).decided_at(), needed);
        // What is no violation need not pay for the number of checks.
        EXPECT_EQ(after(repeated(6, '<'), rule).verdict(), Verdict::undecided);
        EXPECT_EQ(after(repeated(7, '<'), rule).verdict(), Verdict::holds);
        EXPECT_EQ(after(repeated(7, '<'), rule).decided_at(), 7);
    }
}

TEST(EvidenceProcess, HasItsBoundaryAtChecksOverAlpha) {
    // E(7, 7) = 255/8
    for (const int checks : {1, 5}) {
        const double alpha = checks * 8 / 255.0;
        const Rule within{.alpha = alpha * (1 + 1e-12), .checks = checks};
        const Rule beyond{.alpha = alpha * (1 - 1e-12), .checks = checks};
        EXPECT_EQ(after(repeated(7, '>'), within).verdict(), Verdict::violated);
        EXPECT_EQ(after(repeated(7, '>'), beyond).verdict(), Verdict::undecided);
    }
    EXPECT_EQ(after(repeated(7, '<'), {.alpha = 8 / 255.0 * (1 + 1e-12)}).verdict(),
              Verdict::holds);
    EXPECT_EQ(after(repeated(7, '<'), {.alpha = 8 / 255.0 * (1 - 1e-12)}).verdict(),
              Verdict::undecided);
}

TEST(EvidenceProcess, ForgivesASingleExceptionForMoreRounds) {
    // E(n, n-1) = sum over j < n of C(n+1, j) / ((n+1) n) = (2^(n+1) - n - 2) / ((n+1) n):
    // 2036/110 = 18.5 for n = 10 and 4083/132 = 30.9 for n = 11.
    EXPECT_EQ(after(repeated(1, '<') + repeated(9, '>')).verdict(), Verdict::undecided);
    EXPECT_EQ(after(repeated(1, '<') + repeated(10, '>')).verdict(), Verdict::violated);
    EXPECT_EQ(after(repeated(1, '<') + repeated(10, '>')).slower(), 10);
}

TEST(EvidenceProcess, ReportsTheEvidenceOfBothSides) {
    const EvidenceProcess process = after("><>>");
    EXPECT_EQ(process.rounds(), 4);
    EXPECT_EQ(process.slower(), 3);
    EXPECT_EQ(process.log_e_violated(), log_e_value(4, 3));
    EXPECT_EQ(process.log_e_holds(), log_e_value(4, 1));
}

TEST(EvidenceProcess, FreezesAtTheDecision) {
    const EvidenceProcess process = after(repeated(7, '>') + repeated(500, '<'));
    EXPECT_EQ(process.verdict(), Verdict::violated);
    EXPECT_EQ(process.rounds(), 507);
    EXPECT_EQ(process.decided_at(), 7);
    EXPECT_EQ(process.slower(), 7);
    EXPECT_EQ(process.log_e_violated(), log_e_value(7, 7));
    EXPECT_EQ(process.log_e_holds(), log_e_value(7, 0));
    EXPECT_EQ(after(repeated(7, '<') + repeated(500, '>')).verdict(), Verdict::holds);
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
    EXPECT_NE(after(repeated(100, '='), patient, 1).slower(),
              after(repeated(100, '='), patient, 2).slower());
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
