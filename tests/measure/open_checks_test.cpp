// SPDX-License-Identifier: BSD-3-Clause
#include "measure/open_checks.h"

#include <gmock/gmock.h>

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// At alpha = 0.05 for one check both boundaries are 20, which E(7, 7) = 255 / 8 is the first to
// reach: seven rounds with the same answer decide.
constexpr judge::Rule rule{};

OpenChecks::Check check(std::size_t left, std::size_t right, const judge::Rule& by = rule) {
    return {left, right, judge::EvidenceProcess(by, 1)};
}

TEST(OpenChecks, WithoutChecksNothingIsNeeded) {
    const OpenChecks checks({}, judge::Criterion::evidence);
    EXPECT_TRUE(checks.is_decided());
    EXPECT_THAT(checks.needed(), IsEmpty());
}

TEST(OpenChecks, StopsWhenEveryCheckIsDecided) {
    OpenChecks checks({check(0, 1)}, judge::Criterion::evidence);
    for (int round = 1; round <= 7; ++round) {
        EXPECT_FALSE(checks.is_decided()) << "before round " << round;
        EXPECT_THAT(checks.needed(), ElementsAre(0, 1));
        checks.add_round(std::vector<double>{2.0, 1.0});
    }
    EXPECT_TRUE(checks.is_decided());
    EXPECT_THAT(checks.needed(), IsEmpty());
}

TEST(OpenChecks, ContestantsLeaveWhenNoOpenCheckNeedsThem) {
    // 0 against 1 is clear, 1 against 3 goes to and fro; nobody asks about 2.
    OpenChecks checks({check(0, 1), check(3, 1)}, judge::Criterion::evidence);
    EXPECT_THAT(checks.needed(), ElementsAre(0, 1, 3));
    for (int round = 0; round < 7; ++round)
        checks.add_round(std::vector<double>{2.0, 1.0, 0.0, round % 2 == 0 ? 0.5 : 2.0});
    EXPECT_FALSE(checks.is_decided());
    EXPECT_THAT(checks.needed(), ElementsAre(1, 3));
    // What contestants that left have in their places does not matter any more.
    for (int round = 0; round < 30; ++round) checks.add_round(std::vector<double>{-1, 1, -1, 0.5});
    EXPECT_TRUE(checks.is_decided());
}

TEST(OpenChecks, KnowsTheFirstRoundThatDecidesAny) {
    OpenChecks checks({check(0, 1), check(0, 2)}, judge::Criterion::evidence, {check(0, 3)});
    EXPECT_EQ(checks.earliest_decision(), 7);
    // One exception of five: 2 can only be decided later than the others.
    for (int round = 0; round < 5; ++round)
        checks.add_round(std::vector<double>{1.0, 2.0, round == 0 ? 0.5 : 2.0, 2.0});
    EXPECT_EQ(checks.earliest_decision(), 7);
    checks.withdraw(1);
    EXPECT_EQ(checks.earliest_decision(), 7);  // by the rival
    checks.withdraw(3);
    EXPECT_GT(checks.earliest_decision(), 7);
    checks.withdraw(2);
    EXPECT_EQ(checks.earliest_decision(), std::nullopt);
    const OpenChecks averages({check(0, 1)}, judge::Criterion::averages);
    EXPECT_EQ(averages.earliest_decision(), std::nullopt);
}

TEST(OpenChecks, GivesUpWhatHasNoProspects) {
    // 1 / 0 alternates; 2 / 0 is slower in two of three rounds, which decides with patience.
    const judge::Rule many{.checks = 1000};
    OpenChecks checks({check(1, 0, many), check(2, 0, many)}, judge::Criterion::evidence);
    for (int round = 0; round < 42; ++round)
        checks.add_round(
            std::vector<double>{1.0, round % 2 == 0 ? 0.5 : 2.0, round % 3 == 0 ? 0.5 : 2.0});
    EXPECT_THAT(checks.needed(), ElementsAre(0, 1, 2));
    checks.give_up_hopeless(100);
    EXPECT_THAT(checks.needed(), ElementsAre(0, 2));
    EXPECT_FALSE(checks.is_decided());
    checks.give_up_hopeless(43);
    EXPECT_THAT(checks.needed(), IsEmpty());
}

TEST(OpenChecks, ARivalStaysUntilItIsShownToBeFaster) {
    // 0 is slower than 1 and than 2, about which no guideline asks: its level takes more rounds.
    const judge::Rule strict{.checks = 1000};
    OpenChecks checks({check(0, 1)}, judge::Criterion::evidence, {check(0, 2, strict)});
    EXPECT_THAT(checks.needed(), ElementsAre(0, 1, 2));
    for (int round = 0; round < 7; ++round) checks.add_round(std::vector<double>{3.0, 2.0, 1.0});
    EXPECT_TRUE(checks.is_decided());
    checks.give_up_hopeless(400);
    EXPECT_THAT(checks.needed(), ElementsAre(0, 2));
    for (int round = 0; round < 20; ++round) checks.add_round(std::vector<double>{3.0, 0.0, 1.0});
    EXPECT_THAT(checks.needed(), IsEmpty());
}

TEST(OpenChecks, RivalsLeaveWhenNothingIsWrong) {
    const judge::Rule strict{.checks = 1000};
    OpenChecks checks({check(0, 1)}, judge::Criterion::evidence, {check(0, 2, strict)});
    // The check holds: what is faster than its left side is of no interest.
    for (int round = 0; round < 7; ++round) checks.add_round(std::vector<double>{3.0, 4.0, 1.0});
    checks.give_up_hopeless(400);
    EXPECT_THAT(checks.needed(), IsEmpty());
}

TEST(OpenChecks, ARivalThatIsSlowerLeaves) {
    OpenChecks checks({check(0, 1, {.checks = 1000000})}, judge::Criterion::evidence,
                      {check(0, 2)});
    for (int round = 0; round < 7; ++round) checks.add_round(std::vector<double>{3.0, 2.0, 9.0});
    checks.give_up_hopeless(400);
    EXPECT_THAT(checks.needed(), ElementsAre(0, 1));
}

TEST(OpenChecks, PlainComparisonsNeedAllRounds) {
    for (const auto criterion : {judge::Criterion::averages, judge::Criterion::minima}) {
        OpenChecks checks({check(0, 1)}, criterion);
        for (int round = 0; round < 50; ++round) checks.add_round(std::vector<double>{2.0, 1.0});
        EXPECT_FALSE(checks.is_decided());
        EXPECT_THAT(checks.needed(), ElementsAre(0, 1));
    }
}

}  // namespace
}  // namespace mpiaudit
