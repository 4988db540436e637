// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "timing/clock.h"
#include "timing/rounds.h"
#include "timing/synchronisation.h"
#include "world.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;

TEST(Clock, IsFoundByName) {
    EXPECT_THAT(clock_names(), ElementsAre("mpi", "monotonic"));
    for (const std::string& name : clock_names()) {
        const auto clock = find_clock(name);
        ASSERT_TRUE(clock);
        EXPECT_EQ(clock->name, name);
        const double first = clock->now();
        EXPECT_GE(clock->now(), first);
    }
    EXPECT_FALSE(find_clock("MPI"));
    EXPECT_FALSE(find_clock(""));
}

// A clock that ticks on every fourth reading, by 3 s or by 5 s.
int readings = 0;
double ticking() {
    const int ticks = readings++ / 4;
    return 3.0 * (ticks / 2) + 5.0 * ((ticks + 1) / 2);
}

TEST(ClockQuality, ResolutionIsTheSmallestStepThatIsNotZero) {
    readings = 0;
    EXPECT_EQ(measure({"ticking", ticking}).resolution_s, 3.0);
}

TEST(ClockQuality, TimeOfAReadingIsThatOfAllReadingsTogether) {
    readings = 0;
    // Eight readings take 8 s; the first and the last tick make the difference.
    EXPECT_NEAR(measure({"ticking", ticking}).read_s, 1.0, 0.01);
}

TEST(ClockQuality, ClockThatStandsStillEndsTheMeasurementWithoutAResolution) {
    const ClockQuality quality = measure({"standing", [] { return 7.0; }});
    EXPECT_EQ(quality.resolution_s, 0.0);
    EXPECT_EQ(quality.read_s, 0.0);
    EXPECT_FALSE(quality.goes_back);
}

TEST(ClockQuality, AClockThatIsSetBackIsNoticed) {
    readings = 0;
    EXPECT_TRUE(
        measure({"set back", [] { return ++readings % 100 == 0 ? 0.0 : readings; }}).goes_back);
}

TEST(SampleStarts, AreBarriersOrTheGlobalClock) {
    EXPECT_THAT(sample_start_names(), ElementsAre("barrier", "dissemination", "global"));
    const auto barrier = find_sample_starts("dissemination").value();
    EXPECT_EQ(barrier.barrier.name, "dissemination");
    EXPECT_FALSE(barrier.in_window);
    EXPECT_TRUE(find_sample_starts("global").value().in_window);
    EXPECT_FALSE(find_sample_starts("both"));
}

/// All ranks of a test run on one host, where all processes read one CLOCK_MONOTONIC.
TEST(Synchronisation, NoRankLeavesBeforeTheLastOneHasCome) {
    const int rank = own_rank(), ranks = ranks_of_world();
    const Clock clock = find_clock("monotonic").value();
    for (const std::string& name : synchronisation_names()) {
        for (int late = 0; late < ranks; ++late) {
            const double start = clock.now();
            while (rank == late && clock.now() - start < 1e-3) continue;
            double last_arrival = clock.now();
            find_synchronisation(name)->wait(MPI_COMM_WORLD);
            const double departure = clock.now();
            MPI_Allreduce(MPI_IN_PLACE, &last_arrival, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            EXPECT_GE(departure, last_arrival) << name << ", rank " << late << " late";
        }
    }
}

/// A round that waits, ever shorter until the given one.
class Settling {
  public:
    explicit Settling(int rounds) : rounds_{rounds} {
        calls_.push_back([this] {
            ++called_;
            const double start = MPI_Wtime();
            while (MPI_Wtime() - start < 1e-3 * std::max(1, rounds_ - called_)) continue;
        });
    }
    Rounds rounds() const {
        return {calls_, MPI_COMM_WORLD, find_clock("mpi").value(),
                find_synchronisation("dissemination").value(), 1};
    }
    int called() const { return called_; }

  private:
    int rounds_;
    int called_ = 0;
    std::vector<Call> calls_;
};

const std::vector<int> only{0};

TEST(HasSettled, WhenTheMedianOfAWindowNoLongerFalls) {
    EXPECT_FALSE(has_settled(std::vector<double>{5, 1, 1, 1, 1}, 3));
    EXPECT_FALSE(has_settled(std::vector<double>{9, 2, 3, 1, 1, 1}, 3));
    EXPECT_TRUE(has_settled(std::vector<double>{100, 1, 1, 1, 1, 0.5}, 3));
    EXPECT_TRUE(has_settled(std::vector<double>{9, 9, 9, 1, 1, 1, 2, 2, 2}, 3));
}

TEST(WarmUp, GoesOnWhileRoundsBecomeFaster) {
    // The second window may be no faster than the first on a busy machine, and then all attempts
    // end rightly.
    bool has_gone_on = false;
    for (int attempt = 0; attempt < 20 && !has_gone_on; ++attempt) {
        Settling settling(12);
        Rounds rounds = settling.rounds();
        const WarmUp warm_up = warm_up_until_settled(rounds, only, MPI_COMM_WORLD, 10.0);
        EXPECT_GE(warm_up.rounds, 10);
        EXPECT_LE(warm_up.rounds, 50);
        EXPECT_EQ(warm_up.rounds, settling.called());
        int of_rank_0 = warm_up.rounds;
        MPI_Bcast(&of_rank_0, 1, MPI_INT, 0, MPI_COMM_WORLD);
        EXPECT_EQ(warm_up.rounds, of_rank_0);
        has_gone_on = of_rank_0 > 10;
    }
    EXPECT_TRUE(has_gone_on);
}

TEST(WarmUp, GivesShortCallsTimeToSettle) {
    const std::vector<Call> calls{[] {}};
    Rounds rounds{calls, MPI_COMM_SELF, find_clock("mpi").value(),
                  find_synchronisation("dissemination").value(), 1};
    const double start_s = MPI_Wtime();
    const WarmUp warm_up = warm_up_until_settled(rounds, only, MPI_COMM_SELF, 10.0);
    EXPECT_TRUE(warm_up.rounds >= 25 || MPI_Wtime() - start_s >= 5e-3) << warm_up.rounds;
}

TEST(WarmUp, EndsAtItsLimits) {
    Settling slow(10);
    Rounds rounds = slow.rounds();
    const WarmUp warm_up = warm_up_until_settled(rounds, only, MPI_COMM_WORLD, 1e-3);
    EXPECT_EQ(warm_up.rounds, 1);
    EXPECT_FALSE(warm_up.has_settled);
    EXPECT_EQ(warm_up_until_settled(rounds, only, MPI_COMM_WORLD, 0.0).rounds, 0);
    EXPECT_EQ(slow.called(), 1);
}

TEST(WarmUp, MayHaveAFixedNumberOfRounds) {
    Settling settling(1);
    Rounds rounds = settling.rounds();
    EXPECT_EQ(warm_up_for(rounds, only, MPI_COMM_WORLD, 3, 10.0).rounds, 3);
    EXPECT_EQ(warm_up_for(rounds, only, MPI_COMM_WORLD, 0, 10.0).rounds, 0);
    EXPECT_EQ(warm_up_for(rounds, only, MPI_COMM_WORLD, 100, 1e-12).rounds, 1);
    EXPECT_EQ(settling.called(), 4);
}

using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

using Order = std::vector<int>;

TEST(RoundOrder, IsAPermutationOfTheActiveContestants) {
    const Order active{1, 4, 5, 9, 30};
    for (int round = -5; round < 100; ++round)
        EXPECT_THAT(round_order(active, 7, round), UnorderedElementsAreArray(active));
    EXPECT_THAT(round_order(Order{3}, 7, 0), ElementsAre(3));
    EXPECT_THAT(round_order(Order{}, 7, 0), IsEmpty());
}

TEST(RoundOrder, DependsOnSeedAndRoundOnly) {
    Order active(20);
    std::iota(active.begin(), active.end(), 0);
    const Order order = round_order(active, 1, 0);
    EXPECT_EQ(round_order(active, 1, 0), order);
    EXPECT_NE(round_order(active, 2, 0), order);
    EXPECT_NE(round_order(active, 1, 1), order);
    EXPECT_NE(round_order(active, 1, -1), order);
}

/// Recorded seeds must keep their meaning: these orders were computed by another program.
TEST(RoundOrder, StaysTheSameInLaterVersions) {
    const Order active{0, 1, 2, 3, 4, 5};
    EXPECT_THAT(round_order(active, 42, 0), ElementsAre(0, 1, 4, 5, 3, 2));
    EXPECT_THAT(round_order(active, 42, 1), ElementsAre(0, 4, 5, 3, 1, 2));
}

/// Pearson's statistic of how often each of the 24 orders of four contestants came.
template <class MakeOrder>
double chi_square(int draws, MakeOrder make_order) {
    constexpr int orders = 24;
    std::map<Order, int> times;
    for (int k = 0; k < draws; ++k) ++times[make_order(k)];
    const double expected = static_cast<double>(draws) / orders;
    double sum = (orders - static_cast<double>(times.size())) * expected;
    for (const auto& [order, count] : times)
        sum += (count - expected) * (count - expected) / expected;
    return sum;
}

TEST(RoundOrder, IsUniformOverRoundsAndSeedsAndIndependentOfTheOneBefore) {
    const Order active{0, 1, 2, 3};
    // The 99.9 % quantile of the chi-square distribution with 23 degrees of freedom. The seeds are
    // fixed: the test passes or fails, always.
    constexpr double bound = 49.73;
    constexpr int draws = 24000;
    EXPECT_LT(chi_square(draws, [&](int round) { return round_order(active, 12345, round); }),
              bound);
    EXPECT_LT(chi_square(draws, [&](unsigned seed) { return round_order(active, seed, 0); }),
              bound);
    // The order relative to the one of the round before.
    const auto relative = [&](int round) {
        const Order before = round_order(active, 99, round);
        Order moved;
        for (const int contestant : round_order(active, 99, round + 1))
            moved.push_back(
                static_cast<int>(std::ranges::find(before, contestant) - before.begin()));
        return moved;
    };
    EXPECT_LT(chi_square(draws, relative), bound);
}

}  // namespace
}  // namespace mpiaudit
