// SPDX-License-Identifier: BSD-3-Clause
#include "measure/referee.h"

#include <gmock/gmock.h>

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// At alpha = 0.05 for one check both boundaries are 20, which E(7, 7) = 255 / 8 is the first to
// reach: seven rounds with the same answer decide.
constexpr judge::Rule rule{};

Referee::Check check(std::size_t left, std::size_t right, const judge::Rule& by = rule) {
    return {left, right, judge::EvidenceProcess(by, 1)};
}

TEST(Referee, WithoutChecksNothingIsNeeded) {
    const Referee referee({}, judge::Criterion::evidence);
    EXPECT_TRUE(referee.is_decided());
    EXPECT_THAT(referee.needed(), IsEmpty());
}

TEST(Referee, StopsWhenEveryCheckIsDecided) {
    Referee referee({check(0, 1)}, judge::Criterion::evidence);
    for (int round = 1; round <= 7; ++round) {
        EXPECT_FALSE(referee.is_decided()) << "before round " << round;
        EXPECT_THAT(referee.needed(), ElementsAre(0, 1));
        referee.add_round(std::vector<double>{2.0, 1.0});
    }
    EXPECT_TRUE(referee.is_decided());
    EXPECT_THAT(referee.needed(), IsEmpty());
}

TEST(Referee, ContestantsLeaveWhenNoOpenCheckNeedsThem) {
    // 0 against 1 is clear, 1 against 3 goes to and fro; nobody asks about 2.
    Referee referee({check(0, 1), check(3, 1)}, judge::Criterion::evidence);
    EXPECT_THAT(referee.needed(), ElementsAre(0, 1, 3));
    for (int round = 0; round < 7; ++round)
        referee.add_round(std::vector<double>{2.0, 1.0, 0.0, round % 2 == 0 ? 0.5 : 2.0});
    EXPECT_FALSE(referee.is_decided());
    EXPECT_THAT(referee.needed(), ElementsAre(1, 3));
    // What contestants that left have in their places does not matter any more.
    for (int round = 0; round < 30; ++round) referee.add_round(std::vector<double>{-1, 1, -1, 0.5});
    EXPECT_TRUE(referee.is_decided());
}

TEST(Referee, GivesUpWhatHasNoProspects) {
    // 1 / 0 alternates; 2 / 0 is slower in two of three rounds, which decides with patience.
    const judge::Rule many{.checks = 1000};
    Referee referee({check(1, 0, many), check(2, 0, many)}, judge::Criterion::evidence);
    for (int round = 0; round < 42; ++round)
        referee.add_round(
            std::vector<double>{1.0, round % 2 == 0 ? 0.5 : 2.0, round % 3 == 0 ? 0.5 : 2.0});
    EXPECT_THAT(referee.needed(), ElementsAre(0, 1, 2));
    referee.give_up_hopeless(100);
    EXPECT_THAT(referee.needed(), ElementsAre(0, 2));
    EXPECT_FALSE(referee.is_decided());
    referee.give_up_hopeless(43);
    EXPECT_THAT(referee.needed(), IsEmpty());
}

TEST(Referee, PlainComparisonsNeedAllRounds) {
    for (const auto criterion : {judge::Criterion::averages, judge::Criterion::minima}) {
        Referee referee({check(0, 1)}, criterion);
        for (int round = 0; round < 50; ++round) referee.add_round(std::vector<double>{2.0, 1.0});
        EXPECT_FALSE(referee.is_decided());
        EXPECT_THAT(referee.needed(), ElementsAre(0, 1));
    }
}

}  // namespace
}  // namespace mpiaudit
