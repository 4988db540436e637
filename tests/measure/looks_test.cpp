// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <set>
#include <vector>

#include "measure/open_checks.h"
#include "measure/problem_rounds.h"

namespace mpiaudit {
namespace {

TEST(Reverification, TakeTheirShareOfTheTime) {
    const std::vector<int> active = {2, 5, 7};
    Reverification looks(1, 1e-3);
    double elapsed_s = 0.0, spent_s = 0.0;
    std::set<int> looked_at;
    for (int batch = 0; batch < 100'000; ++batch) {
        elapsed_s += 1e-3;
        const auto contestant = looks.draw(active, elapsed_s);
        if (!contestant) continue;
        looked_at.insert(*contestant);
        looks.add(2e-3);
        spent_s += 2e-3;
        elapsed_s += 2e-3;
        EXPECT_LE(spent_s, Reverification::share_of_time * elapsed_s + 1e-3);
    }
    EXPECT_GE(spent_s, 0.95 * Reverification::share_of_time * elapsed_s);
    EXPECT_EQ(looked_at, std::set<int>(active.begin(), active.end()));
}

TEST(Reverification, DifferBetweenSeeds) {
    const std::vector<int> active = {0, 1};
    std::set<std::vector<int>> moments;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        Reverification looks(seed, 0.0);
        std::vector<int> drawn;
        for (int i = 0; i < 64; ++i) drawn.push_back(looks.draw(active, 1.0).value_or(-1));
        moments.insert(drawn);
    }
    EXPECT_EQ(moments.size(), 8U);
}

TEST(Reverification, NobodyIsLeft) {
    Reverification looks(1, 0.0);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(looks.draw({}, 1.0), std::nullopt);
}

using testing::ElementsAre;
using testing::IsEmpty;

// At alpha = 0.05 for one check both boundaries are 20. E(7, 7) = 255 / 8 is the first value
// beyond: seven rounds with one answer decide.
constexpr judge::Rule rule{};

OpenChecks::Check check(std::size_t left, std::size_t right, const judge::Rule& by = rule) {
    return {left, right, by, 1};
}

OpenChecks::Check rival(std::size_t left, std::size_t right, const judge::Rule& by = rule) {
    return {left, right, by, 1, true};
}

/// A batch of one repeat round, behind which no violation waits for further rounds.
void add_repeat_round(OpenChecks& checks, const std::vector<double>& samples_s) {
    checks.add_round(samples_s, true);
    checks.end_batch();
}

TEST(OpenChecks, WithoutChecksNothingIsNeeded) {
    const OpenChecks checks({}, rule);
    EXPECT_TRUE(checks.is_decided());
    EXPECT_THAT(checks.needed(), IsEmpty());
}

TEST(OpenChecks, ContestantsWithoutChecksAreNeededInAllRounds) {
    OpenChecks checks({}, rule, {0, 2});
    EXPECT_TRUE(checks.is_decided());
    for (int round = 1; round <= 50; ++round) checks.add_round(std::vector{1.0, 1.0, 9.0});
    checks.give_up_hopeless(400);
    EXPECT_THAT(checks.needed(), ElementsAre(0, 2));
    EXPECT_EQ(checks.earliest_decision(), std::nullopt);
    checks.withdraw(0);
    EXPECT_THAT(checks.needed(), ElementsAre(2));
}

TEST(OpenChecks, StopsWhenEveryCheckIsDecided) {
    OpenChecks checks({check(0, 1)}, rule);
    for (int round = 1; round <= 7; ++round) {
        EXPECT_FALSE(checks.is_decided()) << "before round " << round;
        EXPECT_THAT(checks.needed(), ElementsAre(0, 1));
        add_repeat_round(checks, {2.0, 1.0});
    }
    EXPECT_TRUE(checks.is_decided());
    EXPECT_THAT(checks.needed(), IsEmpty());
}

TEST(OpenChecks, ContestantsLeaveWhenNoOpenCheckNeedsThem) {
    // 0 against 1 is clear, 1 against 3 goes to and fro; nobody asks about 2.
    OpenChecks checks({check(0, 1), check(3, 1)}, rule);
    EXPECT_THAT(checks.needed(), ElementsAre(0, 1, 3));
    for (int round = 0; round < 7; ++round)
        add_repeat_round(checks, {2.0, 1.0, 0.0, round % 2 == 0 ? 0.5 : 2.0});
    EXPECT_FALSE(checks.is_decided());
    EXPECT_THAT(checks.needed(), ElementsAre(1, 3));
    // Values in the places of contestants that have left do not matter any more.
    for (int round = 0; round < 30; ++round) add_repeat_round(checks, {-1, 1, -1, 0.5});
    EXPECT_TRUE(checks.is_decided());
}

TEST(OpenChecks, KnowsTheFirstRoundThatDecidesAny) {
    OpenChecks checks({check(0, 1), check(0, 2), rival(0, 3)}, rule);
    EXPECT_EQ(checks.earliest_decision(), 7);
    // With one exception in five rounds, contestant 2 is decided later than the others.
    for (int round = 0; round < 5; ++round)
        add_repeat_round(checks, {1.0, 2.0, round == 0 ? 0.5 : 2.0, 2.0});
    EXPECT_EQ(checks.earliest_decision(), 7);
    checks.withdraw(1);
    EXPECT_EQ(checks.earliest_decision(), 7);  // by the rival
    checks.withdraw(3);
    EXPECT_GT(checks.earliest_decision(), 7);
    checks.withdraw(2);
    EXPECT_EQ(checks.earliest_decision(), std::nullopt);
    const OpenChecks averages({check(0, 1)}, {.criterion = judge::Criterion::averages});
    EXPECT_EQ(averages.earliest_decision(), std::nullopt);
}

TEST(OpenChecks, GivesUpWhatHasNoProspects) {
    // 1 / 0 alternates; 2 / 0 is slower in two of three rounds, which decides with patience.
    const judge::Rule many{.checks = 1000};
    OpenChecks checks({check(1, 0, many), check(2, 0, many)}, rule);
    for (int round = 0; round < 42; ++round)
        add_repeat_round(checks, {1.0, round % 2 == 0 ? 0.5 : 2.0, round % 3 == 0 ? 0.5 : 2.0});
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
    OpenChecks checks({check(0, 1), rival(0, 2, strict)}, rule);
    EXPECT_THAT(checks.needed(), ElementsAre(0, 1, 2));
    for (int round = 0; round < 7; ++round) add_repeat_round(checks, {3.0, 2.0, 1.0});
    EXPECT_TRUE(checks.is_decided());
    checks.give_up_hopeless(400);
    EXPECT_THAT(checks.needed(), ElementsAre(0, 2));
    for (int round = 0; round < 20; ++round) add_repeat_round(checks, {3.0, 0.0, 1.0});
    EXPECT_THAT(checks.needed(), IsEmpty());
}

TEST(OpenChecks, RivalsLeaveWhenNothingIsWrong) {
    const judge::Rule strict{.checks = 1000};
    OpenChecks checks({check(0, 1), rival(0, 2, strict)}, rule);
    // The check holds, so a contestant that is faster than its left side is of no interest.
    for (int round = 0; round < 7; ++round) add_repeat_round(checks, {3.0, 4.0, 1.0});
    checks.give_up_hopeless(400);
    EXPECT_THAT(checks.needed(), IsEmpty());
}

TEST(OpenChecks, ARivalThatIsSlowerLeaves) {
    OpenChecks checks({check(0, 1, {.checks = 1000000}), rival(0, 2)}, rule);
    for (int round = 0; round < 7; ++round) add_repeat_round(checks, {3.0, 2.0, 9.0});
    checks.give_up_hopeless(400);
    EXPECT_THAT(checks.needed(), ElementsAre(0, 1));
}

TEST(OpenChecks, PlainComparisonsNeedAllRounds) {
    for (const auto criterion : {judge::Criterion::averages, judge::Criterion::minima}) {
        OpenChecks checks({check(0, 1)}, {.criterion = criterion});
        for (int round = 0; round < 50; ++round) add_repeat_round(checks, {2.0, 1.0});
        EXPECT_FALSE(checks.is_decided());
        EXPECT_THAT(checks.needed(), ElementsAre(0, 1));
    }
}

TEST(OpenChecks, AViolatedCheckWaitsForRepeatRounds) {
    OpenChecks checks({check(0, 1)}, rule);
    EXPECT_EQ(checks.repeats(), Repeats::by_chance);
    for (int round = 0; round < 10; ++round) checks.add_round(std::vector<double>{2.0, 1.0});
    checks.end_batch();
    // The check is violated, but each side has always followed the other one.
    EXPECT_FALSE(checks.is_decided());
    EXPECT_THAT(checks.needed(), ElementsAre(0, 1));
    EXPECT_EQ(checks.repeats(), Repeats::all);
    EXPECT_EQ(checks.earliest_decision(), 17);
    for (int round = 0; round < 7; ++round) {
        EXPECT_FALSE(checks.is_decided()) << "before repeat round " << round;
        add_repeat_round(checks, {2.0, 1.0});
    }
    EXPECT_TRUE(checks.is_decided());
    EXPECT_THAT(checks.needed(), IsEmpty());
    EXPECT_EQ(checks.repeats(), Repeats::by_chance);
}

TEST(OpenChecks, AnEffectOfTheOrderIsFollowedUntilItIsClear) {
    OpenChecks checks({check(0, 1)}, rule);
    for (int round = 0; round < 10; ++round) checks.add_round(std::vector<double>{9.0, 1.0});
    // Slower after itself in half of the rounds only: neither a violation nor none.
    for (int round = 0; round < 8; ++round)
        add_repeat_round(checks, {round % 2 == 0 ? 0.5 : 2.0, 1.0});
    EXPECT_FALSE(checks.is_decided());
    checks.give_up_hopeless(1000);
    EXPECT_FALSE(checks.is_decided());
    for (int round = 0; round < 20; ++round) add_repeat_round(checks, {0.5, 1.0});
    EXPECT_TRUE(checks.is_decided());
}

TEST(OpenChecks, WithoutAnOrderThatMattersThereAreNoRepeatRounds) {
    EXPECT_EQ(OpenChecks({check(0, 1)}, {.criterion = judge::Criterion::averages}).repeats(),
              Repeats::none);
    const judge::Rule simulated{.deterministic = true};
    OpenChecks checks({check(0, 1, simulated)}, simulated);
    EXPECT_EQ(checks.repeats(), Repeats::none);
    checks.add_round(std::vector<double>{2.0, 1.0});
    EXPECT_TRUE(checks.is_decided());
}

/// Two rounds of a contestant of 1 s and one of 8 s, by clocks that may be off.
Batch batch_with(double clock_error_s) {
    Batch batch{
        .active = 2, .order = {0, 1, 1, 0}, .samples_s = {1.0, 8.0, 8.0, 1.0}, .repeats = {0, 1}};
    batch.clock_error_s = clock_error_s;
    return batch;
}

TEST(RoundsRecord, RoundsForWhichTheClocksAreTooFarOffAreDropped) {
    OpenChecks checks({}, rule);
    RoundsRecord record(2);
    EXPECT_EQ(record.add(batch_with(0.25), checks), 2U);
    EXPECT_EQ(record.add(batch_with(0.26), checks), 0U) << "of the fastest, not of any";
    EXPECT_EQ(record.window.unclear_rounds, 2);
    EXPECT_EQ(record.order.size(), 2U);
    EXPECT_THAT(record.samples_s, testing::ElementsAre(testing::ElementsAre(1.0, 1.0),
                                                       testing::ElementsAre(8.0, 8.0)));
    EXPECT_EQ(record.add(batch_with(0.0), checks), 2U) << "without a global clock all are kept";
    EXPECT_EQ(record.window.unclear_rounds, 2);
}

}  // namespace
}  // namespace mpiaudit
