// SPDX-License-Identifier: BSD-3-Clause
#include "measure/barrier_verification.h"

#include <gmock/gmock.h>

#include "collectives/barrier/barrier.h"
#include "mpi/texts.h"

namespace mpiaudit {
namespace {

int number_of_ranks() {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

TEST(BarrierVerification, RightBarriers) {
    EXPECT_EQ(
        find_early_leaver([] { MPI_Barrier(MPI_COMM_WORLD); }, MPI_COMM_WORLD, number_of_ranks()),
        std::nullopt);
    EXPECT_EQ(find_early_leaver([] { dissemination_Barrier(MPI_COMM_WORLD); }, MPI_COMM_WORLD,
                                number_of_ranks()),
              std::nullopt);
}

TEST(BarrierVerification, NoBarrierAtAll) {
    if (number_of_ranks() == 1) GTEST_SKIP() << "nobody can be early";
    const auto found = text_of_lowest_rank(
        find_early_leaver([] {}, MPI_COMM_WORLD, number_of_ranks()), MPI_COMM_WORLD);
    EXPECT_THAT(found, testing::Optional(testing::MatchesRegex(
                           "rank 0: rank [0-9]+ left before this rank had entered")));
}

TEST(BarrierVerification, OnlyMembersHaveToWait) {
    if (number_of_ranks() == 1) GTEST_SKIP() << "nobody can be early";
    // Everybody but the last rank tells rank 0, and is told when all have.
    const int members = number_of_ranks() - 1;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm some = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank < members ? 0 : 1, rank, &some);
    const auto barrier = [&] { MPI_Barrier(some); };
    const auto found = [&](int waiting) {
        return text_of_lowest_rank(find_early_leaver(barrier, MPI_COMM_WORLD, waiting),
                                   MPI_COMM_WORLD);
    };
    EXPECT_EQ(found(members), std::nullopt);
    EXPECT_NE(found(number_of_ranks()), std::nullopt);
    MPI_Comm_free(&some);
}

TEST(BarrierVerification, OneRankDoesNotWait) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (number_of_ranks() == 1) GTEST_SKIP() << "nobody can be early";
    // Everybody tells rank 0, which waits for nobody.
    const auto barrier = [&] {
        if (rank != 0) MPI_Send(nullptr, 0, MPI_BYTE, 0, 99, MPI_COMM_WORLD);
    };
    const auto found = text_of_lowest_rank(
        find_early_leaver(barrier, MPI_COMM_WORLD, number_of_ranks()), MPI_COMM_WORLD);
    EXPECT_NE(found, std::nullopt);
    for (int source = 1; rank == 0 && source < number_of_ranks(); ++source) {
        const int runs = std::min(number_of_ranks(), 3);
        for (int i = 0; i < runs; ++i)
            MPI_Recv(nullptr, 0, MPI_BYTE, source, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

}  // namespace
}  // namespace mpiaudit
