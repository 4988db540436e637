// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "allgather/message_trace.h"
#include "collectives/reduce_scatter/reduce_scatter.h"
#include "reduce/ordered_sum.h"

namespace mpiaudit::test {
namespace {

constexpr int largest_size = 17;
constexpr int block = 3;
constexpr int block_bytes = 4 * block;

Trace trace(decltype(&MPI_Reduce_scatter_block) reduce_scatter, int size, MPI_Op op = MPI_SUM,
            int count = block) {
    return trace_of(
        [&](MPI_Comm comm) {
            const std::vector<int> sent(static_cast<std::size_t>(count * size));
            std::vector<int> received(static_cast<std::size_t>(count));
            reduce_scatter(sent.data(), received.data(), count, MPI_INT, op, comm);
        },
        size);
}

TEST(ReduceScatterTrace, RecursiveHalvingTakesOneRoundForEveryHalving) {
    for (int size = 1; size <= largest_size; ++size) {
        const Trace traced = trace(recursive_halving_Reduce_scatter_block, size);
        const int pairs = size - power_of_two_in(size);
        EXPECT_EQ(traced.rounds, floor_log2(size) + (pairs > 0 ? 2 : 0));
        // One who acts for two sends all blocks but theirs, and at the end its neighbour's.
        std::vector<int> expected(static_cast<std::size_t>(size), (size - 1) * block_bytes);
        for (int pair = 0; pair < pairs; ++pair)
            expected[static_cast<std::size_t>(2 * pair)] = size * block_bytes;
        EXPECT_EQ(traced.bytes_sent, expected);
    }
}

TEST(ReduceScatterTrace, RecursiveDoublingSendsAllButTheBlocksOfTheOwnHalf) {
    const OwnedOp ordered = sum_that_does_not_commute();
    for (int size = 1; size <= largest_size; ++size) {
        const Trace traced = trace(recursive_doubling_Reduce_scatter_block, size, ordered.get());
        EXPECT_LE(traced.rounds, recursive_doubling_rounds(size));
        EXPECT_GE(traced.rounds, ceil_log2(size));
        EXPECT_EQ(traced.datatypes_kept, 0);
        if (power_of_two_in(size) < size) continue;
        const int bytes = block_bytes * (size * ceil_log2(size) - (size - 1));
        EXPECT_EQ(traced.rounds, ceil_log2(size));
        EXPECT_EQ(traced.bytes_sent, std::vector<int>(static_cast<std::size_t>(size), bytes));
    }
}

TEST(ReduceScatterTrace, PairwiseExchangeSendsEveryProcessItsBlock) {
    for (int size = 1; size <= largest_size; ++size) {
        const Trace traced = trace(pairwise_exchange_Reduce_scatter_block, size);
        const auto processes = static_cast<std::size_t>(size);
        EXPECT_EQ(traced.rounds, size - 1);
        EXPECT_EQ(traced.bytes_sent, std::vector<int>(processes, (size - 1) * block_bytes));
    }
}

TEST(ReduceScatterTrace, ReduceAndScattervTakeATreeAndALoop) {
    for (int size = 1; size <= largest_size; ++size) {
        const Trace traced = trace(reduce_scatterv_Reduce_scatter_block, size);
        std::vector<int> expected(static_cast<std::size_t>(size), size * block_bytes);
        expected[0] = (size - 1) * block_bytes;
        EXPECT_EQ(traced.rounds, ceil_log2(size) + size - 1);
        EXPECT_EQ(traced.bytes_sent, expected);
    }
}

TEST(ReduceScatterTrace, MPICH2004ChangesAt512KiBOrIfNotCommutativeAt512Bytes) {
    constexpr int size = 16;
    const OwnedOp ordered = sum_that_does_not_commute();
    const auto rounds = [](MPI_Op op, int bytes) {
        return trace(MPICH2004_Reduce_scatter_block, size, op, bytes / 4 / size).rounds;
    };
    EXPECT_EQ(rounds(MPI_SUM, 512 * 1024 - 4 * size), 4);
    EXPECT_EQ(rounds(MPI_SUM, 512 * 1024), size - 1);
    const Trace below = trace(MPICH2004_Reduce_scatter_block, size, ordered.get(), 7);
    EXPECT_EQ(below.rounds, 4);
    EXPECT_EQ(below.bytes_sent[0], 4 * 7 * (4 * size - (size - 1)));
    EXPECT_EQ(rounds(ordered.get(), 512), size - 1);
}

}  // namespace
}  // namespace mpiaudit::test
