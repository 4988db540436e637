// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <set>

#include "collectives/moved_blocks.h"
#include "grid/job_network.h"
#include "grid/links.h"
#include "schedule/grid.h"
#include "schedule/random_network.h"
#include "tests/comparator_schedules.h"
#include "world.h"

namespace mpiaudit::test {
namespace {

TEST(Links, EveryPairMeetsOnceAndNobodyMeetsTwoAtATime) {
    for (int processes = 1; processes <= 33; ++processes) {
        std::set<std::pair<int, int>> met;
        for (int match = 0; match < matches_of(processes); ++match) {
            for (int one = 0; one < processes; ++one) {
                const int other = partner_in_match(one, match, processes);
                if (other < 0) continue;
                EXPECT_EQ(partner_in_match(other, match, processes), one);
                EXPECT_NE(other, one);
                EXPECT_TRUE(met.insert({one, other}).second);
            }
        }
        EXPECT_EQ(met.size(), static_cast<std::size_t>(processes * (processes - 1)));
        EXPECT_LE(matches_of(processes), processes);
    }
}

/// Returns the times of 1, 2, 3 and 4 MB, with this number of seconds per MB and a common part.
std::vector<Transfer> transfers(double common_s, double second_per_MB) {
    std::vector<Transfer> all;
    for (const double megabytes : {4.0, 1.0, 3.0, 2.0})
        all.push_back({megabytes * 1e6, common_s + megabytes * second_per_MB});
    return all;
}

TEST(Rate, HasNoRoundTripInItAndIsAsUncertainAsTheRoundsDiffer) {
    const Rate sure =
        rate_of(std::vector{transfers(0.03, 0.08), transfers(0.06, 0.08), transfers(0.03, 0.08)});
    EXPECT_NEAR(sure.bytes_per_s, 12.5e6, 1.0);
    EXPECT_NEAR(sure.uncertainty_bytes_per_s, 0.0, 1.0);
    const Rate unsure =
        rate_of(std::vector{transfers(0.0, 0.1), transfers(0.0, 0.08), transfers(0.0, 0.12)});
    EXPECT_NEAR(unsure.bytes_per_s, 10e6, 1.0);
    EXPECT_NEAR(unsure.uncertainty_bytes_per_s, 2e6, 1.0);
}

TEST(Rate, WhereLongerMessagesTakeNoLongerItIsThatOfTheLargestOne) {
    const Rate rate =
        rate_of(std::vector{transfers(0.5, -1e-9), transfers(0.5, 1e-9), transfers(0.5, -1e-9)});
    EXPECT_NEAR(rate.bytes_per_s, 8e6, 1.0);
    EXPECT_LT(rate.uncertainty_bytes_per_s, 0.0);
    // Messages of one size tell nothing.
    const std::vector<std::vector<Transfer>> equal{{{1.0, 1e-6}, {1.0, 2e-6}}};
    EXPECT_LT(rate_of(equal).uncertainty_bytes_per_s, 0.0);
}

TEST(Links, AllPairsGetNumbers) {
    const LinkProtocol protocol{find_clock("mpi").value(), 2, {1.0, 5000.0}, 30000.0, 1};
    const Network network = measure_links(MPI_COMM_WORLD, protocol);
    const int rank = own_rank(), ranks = ranks_of_world();
    ASSERT_EQ(network.latency_s.size(), rank == 0 ? ranks : 0);
    ASSERT_EQ(network.overheads.size(), 2U);
    for (int from = 0; from < network.latency_s.size(); ++from) {
        for (int to = 0; to < ranks; ++to) {
            if (from == to) continue;
            EXPECT_GT(network.latency_s(from, to), 0.0);
            EXPECT_GT(network.bandwidth_bytes_per_s(from, to), 0.0);
            EXPECT_GE(network.latency_uncertainty_s(from, to), 0.0);
            for (const MessageOverheads& each : network.overheads) {
                EXPECT_GT(each.send_s(from, to), 0.0);
                EXPECT_GE(each.gap_s(from, to), 0.0);
            }
        }
    }
}

/// The schedules of all strategies on some networks, with several ranks on some hosts.
std::vector<AllgatherSchedule> schedules() {
    std::mt19937 random(11);
    const int ranks = ranks_of_world();
    std::vector<AllgatherSchedule> all;
    for (const int hosts : {1, 3, ranks}) {
        std::vector<int> host_of_rank;
        for (int rank = 0; rank < ranks; ++rank) host_of_rank.push_back(rank * 7 % hosts);
        const Grid grid = make_grid(random_network(hosts, false, true, random), host_of_rank);
        const std::vector<double> bytes = random_bytes(ranks, hosts == 3, random);
        for (const Strategy strategy : {Strategy::min3, Strategy::magpie, Strategy::mpich_g2,
                                        Strategy::mateescu, Strategy::clustered_sa})
            all.push_back(make_schedule(strategy, grid, Ports::half_duplex, bytes));
    }
    return all;
}

/// The two functions follow this schedule; MPI's signatures have no argument for it.
const ScheduledAllgather* followed = nullptr;

int scheduled_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    followed->run({sendbuf, sendcount, sendtype},
                  Blocks::equal(recvbuf, recvcount, recvtype, ranks_of_world()), Ranks{comm});
    return MPI_SUCCESS;
}

int scheduled_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                         MPI_Comm comm) {
    followed->run({sendbuf, sendcount, sendtype},
                  Blocks::irregular(recvbuf, recvcounts, displs, recvtype, ranks_of_world()),
                  Ranks{comm});
    return MPI_SUCCESS;
}

TEST(ScheduledAllgather, PutsEveryBlockInItsPlaceAndTouchesNothingElse) {
    const Tested regular("scheduled", "MPI_Allgather", scheduled_Allgather);
    const Tested irregular("scheduled", "MPI_Allgatherv", scheduled_Allgatherv);
    for (const AllgatherSchedule& schedule : schedules()) {
        const ScheduledAllgather context(schedule, own_rank());
        followed = &context;
        for (const ElementKind* const kind : element_kinds({"int", "resized with holes"}))
            for (const int count : {0, 1, 6, 5000})
                for (const bool in_place : {false, true}) {
                    check(regular, {kind, "equal", [=](int, int) { return count; }, 0,
                                    Placing::contiguous, in_place});
                    check(irregular,
                          {kind, "uneven", [=](int rank, int) { return count * (rank % 3) / 2; }, 0,
                           Placing::reversed_with_gaps, in_place});
                }
    }
}

}  // namespace
}  // namespace mpiaudit::test
