// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "allgather/message_trace.h"
#include "collectives/allreduce/allreduce.h"
#include "reduce/ordered_sum.h"

namespace mpiaudit::test {
namespace {

constexpr int largest_size = 17;

Trace trace(decltype(&MPI_Allreduce) allreduce, int size, int elements, MPI_Op op = MPI_SUM) {
    return trace_of(
        [&](MPI_Comm comm) {
            const std::vector<int> sent(static_cast<std::size_t>(elements));
            std::vector<int> received(static_cast<std::size_t>(elements));
            allreduce(sent.data(), received.data(), elements, MPI_INT, op, comm);
        },
        size);
}

/// Bytes that each process sends when every survivor sends that many among themselves, and the
/// others hand over `bytes` and get as many back.
std::vector<int> folded_volumes(int size, int bytes, int among_survivors_bytes) {
    std::vector<int> volumes(static_cast<std::size_t>(size), among_survivors_bytes);
    const int pairs = size - power_of_two_in(size);
    for (int pair = 0; pair < pairs; ++pair) {
        volumes[static_cast<std::size_t>(2 * pair)] = bytes;
        volumes[static_cast<std::size_t>(2 * pair + 1)] += bytes;
    }
    return volumes;
}

TEST(AllreduceTrace, RecursiveDoublingSendsTheVectorInEveryRound) {
    constexpr int count = 10;
    for (int size = 1; size <= largest_size; ++size) {
        const int levels = floor_log2(size);
        const Trace traced = trace(recursive_doubling_Allreduce, size, count);
        EXPECT_EQ(traced.rounds, levels + (power_of_two_in(size) < size ? 2 : 0));
        EXPECT_EQ(traced.bytes_sent, folded_volumes(size, 4 * count, 4 * count * levels));
    }
}

TEST(AllreduceTrace, RabenseifnerSendsEveryPartTwice) {
    constexpr int count = 48;
    for (int size = 1; size <= largest_size; ++size) {
        const int survivors = power_of_two_in(size);
        const Trace traced = trace(Rabenseifner_Allreduce, size, count);
        EXPECT_EQ(traced.rounds, 2 * floor_log2(size) + (survivors < size ? 2 : 0));
        EXPECT_EQ(traced.bytes_sent,
                  folded_volumes(size, 4 * count, 2 * (survivors - 1) * 4 * count / survivors));
    }
}

TEST(AllreduceTrace, RingGoesRoundTwice) {
    constexpr int part = 3;
    for (int size = 1; size <= largest_size; ++size) {
        const Trace traced = trace(ring_Allreduce, size, part * size);
        const auto processes = static_cast<std::size_t>(size);
        EXPECT_EQ(traced.rounds, 2 * (size - 1));
        EXPECT_EQ(traced.bytes_sent, std::vector<int>(processes, 2 * (size - 1) * 4 * part));
    }
}

TEST(AllreduceTrace, ReduceAndBcastTakeTheRoundsOfTwoBinomialTrees) {
    constexpr int count = 10;
    for (int size = 1; size <= largest_size; ++size) {
        const Trace traced = trace(reduce_bcast_Allreduce, size, count);
        EXPECT_EQ(traced.rounds, 2 * ceil_log2(size));
        EXPECT_EQ(traced.bytes_sent[0], 4 * count * ceil_log2(size));
    }
}

TEST(AllreduceTrace, MPICH2004TakesRabenseifnerAbove2KiBForOperatorsOfMPI) {
    const OwnedOp ours = sum_that_does_not_commute();
    EXPECT_EQ(trace(MPICH2004_Allreduce, 8, 512).rounds, 3);
    EXPECT_EQ(trace(MPICH2004_Allreduce, 8, 513).rounds, 6);
    EXPECT_EQ(trace(MPICH2004_Allreduce, 8, 513, ours.get()).rounds, 3);
}

}  // namespace
}  // namespace mpiaudit::test
