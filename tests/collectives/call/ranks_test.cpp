// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/call/ranks.h"

#include <gtest/gtest.h>

namespace mpiaudit::test {
namespace {

TEST(Ranks, StandOnARingThatStartsWithTheFirst) {
    int size = 0, rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int first = 0; first < size; ++first) {
        const Ranks ranks{MPI_COMM_WORLD, first};
        EXPECT_EQ(ranks.size, size);
        EXPECT_EQ(ranks.rank, rank);
        EXPECT_EQ(ranks.at(0), first);
        EXPECT_EQ(ranks.at(ranks.position), rank);
        for (int distance = -size; distance <= size; ++distance) {
            EXPECT_EQ(ranks.shifted(distance), (rank + distance + size) % size);
            EXPECT_EQ(ranks.shifted(distance), ranks.at(ranks.position + distance + size));
        }
    }
}

TEST(Ranks, SendOnAPrivateCommunicatorUnlessTheySendNothing) {
    EXPECT_EQ(Ranks{MPI_COMM_WORLD}.comm, private_communicator(MPI_COMM_WORLD));
    EXPECT_EQ(Ranks::without_messages(MPI_COMM_WORLD).comm, MPI_COMM_WORLD);
}

}  // namespace
}  // namespace mpiaudit::test
