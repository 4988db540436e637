// SPDX-License-Identifier: BSD-3-Clause
#include "grid/links.h"

#include <gtest/gtest.h>

#include <set>

namespace mpiaudit {
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

/// Of 1, 2, 3 and 4 MB at that many seconds for each, besides what all have in common.
std::vector<Transfer> transfers(double common_s, double second_per_MB) {
    std::vector<Transfer> all;
    for (const double megabytes : {4.0, 1.0, 3.0, 2.0})
        all.push_back({megabytes * 1e6, common_s + megabytes * second_per_MB});
    return all;
}

TEST(Rate, HasNoRoundTripInIt) {
    const std::vector<std::vector<Transfer>> rounds{transfers(0.03, 0.08), transfers(0.06, 0.08),
                                                    transfers(0.03, 0.08)};
    const Rate rate = rate_of(rounds);
    EXPECT_NEAR(rate.bytes_per_s, 12.5e6, 1.0);
    EXPECT_NEAR(rate.uncertainty_bytes_per_s, 0.0, 1.0);
}

TEST(Rate, IsAsUncertainAsTheRoundsDiffer) {
    const std::vector<std::vector<Transfer>> rounds{transfers(0.0, 0.1), transfers(0.0, 0.08),
                                                    transfers(0.0, 0.12)};
    const Rate rate = rate_of(rounds);
    EXPECT_NEAR(rate.bytes_per_s, 10e6, 1.0);
    EXPECT_NEAR(rate.uncertainty_bytes_per_s, 2e6, 1.0);
}

TEST(Rate, WhereLongerMessagesTakeNoLongerItIsThatOfTheLargestOne) {
    const std::vector<std::vector<Transfer>> rounds{transfers(0.5, -1e-9), transfers(0.5, 1e-9),
                                                    transfers(0.5, -1e-9)};
    const Rate rate = rate_of(rounds);
    EXPECT_NEAR(rate.bytes_per_s, 8e6, 1.0);
    EXPECT_LT(rate.uncertainty_bytes_per_s, 0.0);
    // Messages of one size tell nothing.
    const std::vector<std::vector<Transfer>> equal{{{1.0, 1e-6}, {1.0, 2e-6}}};
    EXPECT_LT(rate_of(equal).uncertainty_bytes_per_s, 0.0);
}

TEST(Links, AllPairsGetNumbers) {
    const LinkProtocol protocol{find_clock("mpi").value(), 2, {1.0, 5000.0}, 30000.0, 1};
    const Network network = measure_links(MPI_COMM_WORLD, protocol);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
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

}  // namespace
}  // namespace mpiaudit
