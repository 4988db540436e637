// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/barrier/barrier.h"

#include <gtest/gtest.h>

#include "allgather/typed_buffer.h"

namespace mpiaudit::test {
namespace {

// Everybody but one process adds to a counter in that one's memory before the barrier, so that it
// finds all of them after it: had it left the barrier before one of them had come, it might miss
// it.
void expect_barrier_waits_for_all(int observer) {
    const int rank = world_rank();
    int* counter = nullptr;
    MPI_Win window = MPI_WIN_NULL;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window);
    MPI_Win_lock_all(0, window);
    *counter = 0;
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    const int one = 1;
    if (rank != observer) {
        MPI_Accumulate(&one, 1, MPI_INT, observer, 0, 1, MPI_INT, MPI_SUM, window);
        MPI_Win_flush(observer, window);
    }
    dissemination_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(window);
    const int seen = rank == observer ? *counter : world_size() - 1;
    EXPECT_EQ(seen, world_size() - 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

TEST(Barrier, NobodyLeavesBeforeAllHaveCome) {
    for (int observer = 0; observer < world_size(); ++observer)
        expect_barrier_waits_for_all(observer);
}

}  // namespace
}  // namespace mpiaudit::test
