// SPDX-License-Identifier: BSD-3-Clause
#include "timing/rounds.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "messages/under_test.h"

#include "../world.h"

namespace mpiaudit {
namespace {

using testing::Each;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

/// The recorded actions of Rounds: S a synchronisation, T a reading of the clock, a letter from a
/// on a contestant. The clock advances only while a contestant runs.
struct Observed {
    std::string events;
    std::vector<int> calls;
    double now_s = 0.0;
};
Observed observed;

char letter(int contestant) {
    return static_cast<char>('a' + contestant);
}

double fake_now() {
    observed.events += 'T';
    return observed.now_s;
}
void fake_wait(MPI_Comm) {
    observed.events += 'S';
}

/// Whole seconds, so that sums are exact: rank 0 is the slowest of the even contestants, the last
/// rank of the odd ones.
double duration_s(int contestant, int rank, int ranks) {
    const int late = contestant % 2 == 0 ? ranks - rank : rank + 1;
    return 100.0 * (contestant + 1) + late;
}
/// Returns the slowest rank's times of a batch on rank 0.
std::vector<double> slowest_in(const Batch& batch) {
    std::vector<double> all_s;
    for (const int contestant : batch.order)
        if (own_rank() == 0) all_s.push_back(100.0 * (contestant + 1) + ranks_of_world());
    return all_s;
}

class RoundsTest : public testing::Test {
  protected:
    RoundsTest() {
        observed = {};
        for (int contestant = 0; contestant < 5; ++contestant) {
            calls_.push_back([contestant] {
                observed.events += letter(contestant);
                observed.calls.push_back(contestant);
                observed.now_s += duration_s(contestant, own_rank(), ranks_of_world());
            });
        }
    }
    Rounds rounds(std::uint64_t seed = 1) const {
        return {calls_, MPI_COMM_WORLD, {"fake", fake_now}, {"fake", fake_wait}, seed};
    }
    std::vector<Call> calls_;
    const std::vector<int> all_{0, 1, 2, 3, 4};
};

std::vector<std::vector<int>> orders_of(const Batch& batch) {
    std::vector<std::vector<int>> orders;
    for (std::size_t round = 0; round < batch.rounds(); ++round) {
        const auto order = batch.order_of(round);
        orders.emplace_back(order.begin(), order.end());
    }
    return orders;
}

/// The events of a batch's samples, one after the other.
std::string samples_of(const Batch& batch) {
    std::string events;
    for (const int contestant : batch.order)
        events += std::string{'S', 'T', letter(contestant), 'T'};
    return events;
}

TEST_F(RoundsTest, ContestantsRunInTheRecordedOrderOnAllRanks) {
    const Batch batch = rounds().run(all_, 6);
    ASSERT_EQ(batch.rounds(), 6U);
    EXPECT_THAT(orders_of(batch), Each(UnorderedElementsAre(0, 1, 2, 3, 4)));
    observed.calls.erase(observed.calls.begin());  // untimed
    EXPECT_EQ(observed.calls, batch.order);
    std::vector<int> of_rank_0 = observed.calls;
    MPI_Bcast(of_rank_0.data(), static_cast<int>(of_rank_0.size()), MPI_INT, 0, MPI_COMM_WORLD);
    EXPECT_EQ(observed.calls, of_rank_0);
}

TEST_F(RoundsTest, SamplesAreTheMaximaOverTheRanksInThePlacesOfTheOrder) {
    const Batch batch = rounds().run(all_, 4);
    EXPECT_THAT(batch.order, SizeIs(20));
    EXPECT_EQ(batch.samples_s, slowest_in(batch));
}

TEST_F(RoundsTest, EachRankKeepsItsOwnTimesIfAsked) {
    Rounds timed = rounds();
    timed.run(all_, 2);
    EXPECT_FALSE(timed.own_times());
    timed.keep_own_times();
    timed.run(std::vector<int>{1, 3}, 2);
    timed.run(std::vector<int>{3}, 1);
    const auto& own_s = timed.own_times().value();
    EXPECT_THAT(own_s, SizeIs(5));
    EXPECT_THAT(own_s[0], IsEmpty());
    for (const auto& [contestant, calls] : {std::pair{1, 2}, {3, 3}})
        EXPECT_THAT(own_s[static_cast<std::size_t>(contestant)],
                    testing::AllOf(SizeIs(calls),
                                   Each(duration_s(contestant, own_rank(), ranks_of_world()))));
}

TEST_F(RoundsTest, RanksPauseBetweenSynchronisationAndCall) {
    constexpr double pause_s = 2e-3;
    Rounds pausing = rounds();
    pausing.pause_before_calls(pause_s);
    const double begin_s = wall_time_s();
    const Batch batch = pausing.run(all_, 1);
    EXPECT_GE(wall_time_s() - begin_s, 5 * pause_s);
    EXPECT_EQ(batch.samples_s, slowest_in(batch)) << "the pause does not count";
    EXPECT_EQ(observed.events, samples_of(batch));
}

TEST_F(RoundsTest, OneSynchronisationAndTwoReadingsOfTheClockPerSample) {
    const Batch batch = rounds().run(all_, 1);
    EXPECT_EQ(observed.events, samples_of(batch));
}

TEST_F(RoundsTest, RoundsInARowBeginWithAnUntimedCallOfTheFirstContestant) {
    const Batch batch = rounds().run(all_, 2);
    const std::string untimed{'S', letter(batch.order.front())};
    EXPECT_EQ(observed.events, untimed + samples_of(batch));
}

TEST_F(RoundsTest, CallsTakeTheSetsOfBuffersInTurn) {
    constexpr int sets = 3;
    std::vector<int> used;
    const std::vector<Call> on_first = std::move(calls_);
    calls_.clear();
    for (int set = 0; set < sets; ++set) {
        for (const Call& call : on_first) {
            calls_.emplace_back([&used, &call, set] {
                used.push_back(set);
                call();
            });
        }
    }
    Rounds rotating{calls_, MPI_COMM_WORLD, {"fake", fake_now}, {"fake", fake_wait}, 1, {}, sets};
    rotating.warm_up(all_, 1);
    observed.calls.clear();
    const Batch batch = rotating.run(all_, 3);
    observed.calls.erase(observed.calls.begin());  // untimed
    EXPECT_EQ(observed.calls, batch.order);
    EXPECT_THAT(used, SizeIs(5 + 1 + 15));
    for (std::size_t i = 1; i < used.size(); ++i) EXPECT_EQ(used[i], (used[i - 1] + 1) % sets);
    // The synchronisation comes behind the contestants, not behind their calls.
    under_test::look_at(MPI_ERR_OTHER);
    EXPECT_EQ(rotating.run(all_, 1).failed, own_rank() == 0 ? 5 : -1);
}

TEST_F(RoundsTest, ReturnedErrorsAreThoseOfTheContestant) {
    const int guilty = ranks_of_world() - 1;
    calls_[3] = [&] {
        if (own_rank() == guilty) under_test::look_at(MPI_ERR_OTHER);
    };
    Rounds tested = rounds();
    EXPECT_EQ(tested.run(all_, 2).failed, own_rank() == 0 ? 3 : -1);
    EXPECT_EQ(tested.take_error(), own_rank() == guilty ? MPI_ERR_OTHER : MPI_SUCCESS);
    const std::vector<int> others{0, 1, 2, 4};
    EXPECT_EQ(tested.run(others, 2).failed, -1);
    // Untimed rounds count as well.
    tested.warm_up(all_, 1);
    EXPECT_EQ(tested.run(others, 1).failed, own_rank() == 0 ? 3 : -1);
}

TEST_F(RoundsTest, OnlyActiveContestantsAreCalled) {
    const std::vector<int> active{1, 4};
    const Batch batch = rounds().run(active, 5);
    EXPECT_THAT(orders_of(batch), Each(UnorderedElementsAre(1, 4)));
    EXPECT_THAT(observed.calls, SizeIs(1 + 10));
    EXPECT_THAT(observed.calls, Each(testing::AnyOf(1, 4)));
    EXPECT_EQ(batch.samples_s, slowest_in(batch));
}

TEST_F(RoundsTest, BatchesGoOnWhereTheLastOneEnded) {
    const Batch whole = rounds().run(all_, 7);
    Rounds batches = rounds();
    auto orders = batches.run(all_, 3).order;
    for (const int contestant : batches.run(all_, 4).order) orders.push_back(contestant);
    EXPECT_EQ(orders, whole.order);
}

TEST_F(RoundsTest, WarmUpCallsEveryContestantAndReadsNoClock) {
    Rounds warmed = rounds();
    warmed.warm_up(std::vector<int>{0, 3}, 3);
    EXPECT_THAT(observed.calls, UnorderedElementsAre(0, 0, 0, 3, 3, 3));
    EXPECT_EQ(observed.events.find('T'), std::string::npos);
    EXPECT_EQ(std::ranges::count(observed.events, 'S'), 6);
}

TEST_F(RoundsTest, WarmUpLeavesTheOrdersOfMeasuredRoundsAlone) {
    const Batch cold = rounds().run(all_, 5);
    Rounds warmed = rounds();
    warmed.warm_up(all_, 3);
    EXPECT_EQ(warmed.run(all_, 5).order, cold.order);
}

TEST_F(RoundsTest, ContestantsInARowEachBehindItsUntimedCalls) {
    Rounds in_a_row = rounds();
    in_a_row.repeat_in_a_row(1);
    const Batch batch = in_a_row.run(std::vector<int>{0, 3}, 2);
    EXPECT_EQ(observed.events, "SaSTaTSTaTSdSTdTSTdT");
    EXPECT_THAT(orders_of(batch), Each(testing::ElementsAre(0, 3)));
    EXPECT_EQ(batch.samples_s, slowest_in(batch));
}

TEST_F(RoundsTest, RepeatRoundsTimeTheSecondOfTwoCalls) {
    const Batch batch = rounds().run(all_, 2, Repeats::all);
    std::string events;
    for (const int contestant : batch.order)
        events += std::string{'S', letter(contestant), 'S', 'T', letter(contestant), 'T'};
    EXPECT_EQ(observed.events, events);
    EXPECT_EQ(batch.samples_s, slowest_in(batch));
    EXPECT_THAT(batch.repeats, testing::ElementsAre(1, 1));
    EXPECT_THAT(orders_of(batch), Each(UnorderedElementsAre(0, 1, 2, 3, 4)));
}

TEST_F(RoundsTest, RepeatRoundsByChanceAreThoseThatTheBatchNames) {
    const Batch batch = rounds().run(all_, 60, Repeats::by_chance);
    std::vector<int> calls;
    for (std::size_t round = 0; round < batch.rounds(); ++round) {
        EXPECT_EQ(batch.repeats[round] != 0, is_repeat_round(5, 1, static_cast<int>(round)));
        for (const int contestant : batch.order_of(round))
            calls.insert(calls.end(), batch.repeats[round] != 0 ? 2 : 1, contestant);
    }
    EXPECT_THAT(batch.repeats, testing::Contains(1));
    if (observed.calls.size() > calls.size()) observed.calls.erase(observed.calls.begin());
    EXPECT_EQ(observed.calls, calls);
    EXPECT_EQ(batch.order, rounds().run(all_, 60).order) << "the order is the same";
}

TEST(RepeatRounds, EachContestantFollowsEachEquallyOftenItselfIncluded) {
    for (const int contestants : {2, 3, 5}) {
        const auto n = static_cast<std::size_t>(contestants);
        std::vector<int> all(n);
        for (int i = 0; i < contestants; ++i) all[static_cast<std::size_t>(i)] = i;
        constexpr int rounds = 60000;
        std::vector<double> followed(n * n);  // [contestant, predecessor]
        int before = -1;
        for (int round = 0; round < rounds; ++round) {
            const bool is_repeat = is_repeat_round(n, 7, round);
            for (const int each : round_order(all, 7, round)) {
                const int predecessor = is_repeat ? each : before;
                before = each;
                if (predecessor >= 0)
                    ++followed[static_cast<std::size_t>(each * contestants + predecessor)];
            }
        }
        for (const double times : followed)
            EXPECT_NEAR(times / rounds * contestants, 1.0, 0.05) << contestants;
    }
    EXPECT_FALSE(is_repeat_round(1, 7, 0)) << "who is alone follows itself anyway";
}

TEST_F(RoundsTest, NoRounds) {
    const Batch batch = rounds().run(all_, 0);
    EXPECT_THAT(batch.order, IsEmpty());
    EXPECT_THAT(batch.samples_s, IsEmpty());
    EXPECT_EQ(observed.events, "");
}

}  // namespace
}  // namespace mpiaudit
