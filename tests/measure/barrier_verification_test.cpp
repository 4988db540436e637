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
    EXPECT_EQ(find_early_leaver([] { MPI_Barrier(MPI_COMM_WORLD); }, MPI_COMM_WORLD), std::nullopt);
    EXPECT_EQ(find_early_leaver([] { dissemination_Barrier(MPI_COMM_WORLD); }, MPI_COMM_WORLD),
              std::nullopt);
}

TEST(BarrierVerification, NoBarrierAtAll) {
    if (number_of_ranks() == 1) GTEST_SKIP() << "nobody can be early";
    const auto found =
        text_of_lowest_rank(find_early_leaver([] {}, MPI_COMM_WORLD), MPI_COMM_WORLD);
    EXPECT_THAT(found, testing::Optional(testing::MatchesRegex(
                           "rank 0: rank [0-9]+ left before this rank had entered")));
}

TEST(BarrierVerification, OneRankDoesNotWait) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (number_of_ranks() == 1) GTEST_SKIP() << "nobody can be early";
    // Everybody tells rank 0, which waits for nobody.
    const auto barrier = [&] {
        if (rank != 0) MPI_Send(nullptr, 0, MPI_BYTE, 0, 99, MPI_COMM_WORLD);
    };
    const auto found =
        text_of_lowest_rank(find_early_leaver(barrier, MPI_COMM_WORLD), MPI_COMM_WORLD);
    EXPECT_NE(found, std::nullopt);
    for (int source = 1; rank == 0 && source < number_of_ranks(); ++source) {
        const int runs = std::min(number_of_ranks(), 3);
        for (int i = 0; i < runs; ++i)
            MPI_Recv(nullptr, 0, MPI_BYTE, source, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

}  // namespace
}  // namespace mpiaudit
