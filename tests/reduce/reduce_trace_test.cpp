// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "allgather/message_trace.h"
#include "collectives/reduce/reduce.h"
#include "ordered_sum.h"

namespace mpiaudit::test {
namespace {

constexpr int largest_size = 17;
/// Divisible by every power of two up to the largest size.
constexpr int items = 48;
constexpr int bytes = 4 * items;

Trace trace(decltype(&MPI_Reduce) reduce, int size, int root, MPI_Op op = MPI_SUM,
            int elements = items) {
    return trace_of(
        [&](MPI_Comm comm) {
            const std::vector<int> sent(static_cast<std::size_t>(elements));
            std::vector<int> received(static_cast<std::size_t>(elements));
            reduce(sent.data(), received.data(), elements, MPI_INT, op, root, comm);
        },
        size);
}

TEST(ReduceTrace, BinomialTakesLogarithmicallyManyRounds) {
    const OwnedOp ordered = sum_that_does_not_commute();
    for (int size = 1; size <= largest_size; ++size) {
        for (const int root : {0, size - 1}) {
            std::vector<int> expected(static_cast<std::size_t>(size), bytes);
            expected[static_cast<std::size_t>(root)] = 0;
            const Trace commutative = trace(binomial_Reduce, size, root);
            EXPECT_EQ(commutative.rounds, ceil_log2(size));
            EXPECT_EQ(commutative.bytes_sent, expected);
            // The tree ends at process 0, and the result has one more message to go.
            expected.assign(expected.size(), bytes);
            if (root == 0) expected[0] = 0;
            const Trace in_order = trace(binomial_Reduce, size, root, ordered.get());
            EXPECT_EQ(in_order.rounds, ceil_log2(size) + (root > 0));
            EXPECT_EQ(in_order.bytes_sent, expected);
        }
    }
}

TEST(ReduceTrace, LinearTakesOneRoundForEveryOtherProcess) {
    for (int size = 1; size <= largest_size; ++size) {
        const Trace traced = trace(linear_Reduce, size, size / 2);
        EXPECT_EQ(traced.rounds, size - 1);
        EXPECT_EQ(traced.bytes_received[static_cast<std::size_t>(size / 2)], bytes * (size - 1));
    }
}

TEST(ReduceTrace, RabenseifnerHalvesAndGathers) {
    for (int size = 1; size <= largest_size; ++size) {
        const int survivors = power_of_two_in(size);
        const int part_bytes = bytes / survivors;
        const int root = size / 2;
        const Trace traced = trace(Rabenseifner_Reduce, size, root);
        EXPECT_EQ(traced.rounds, 2 * ceil_log2(survivors) + (size > survivors));
        EXPECT_EQ(traced.bytes_sent[static_cast<std::size_t>(root)], (survivors - 1) * part_bytes);
        for (int rank = 0; survivors == size && rank < size; ++rank) {
            const int position = (rank - root + size) % size;
            const int gathered_parts = position & -position;
            EXPECT_EQ(traced.bytes_sent[static_cast<std::size_t>(rank)],
                      (size - 1 + gathered_parts) * part_bytes);
        }
    }
}

TEST(ReduceTrace, MPICH2004TakesRabenseifnerAbove2KiBForOperatorsOfMPI) {
    const OwnedOp ours = sum_that_does_not_commute();
    EXPECT_EQ(trace(MPICH2004_Reduce, 8, 0, MPI_SUM, 512).rounds, 3);
    EXPECT_EQ(trace(MPICH2004_Reduce, 8, 0, MPI_SUM, 513).rounds, 6);
    // The paper's (4.3), which starts at distance p/2: the near-first variant gives other blocks
    // away.
    EXPECT_EQ(trace(MPICH2004_Reduce, 6, 3, MPI_SUM, 1024).bytes_sent,
              trace(Rabenseifner_Reduce, 6, 3, MPI_SUM, 1024).bytes_sent);
    EXPECT_NE(trace(MPICH2004_Reduce, 6, 3, MPI_SUM, 1024).bytes_sent,
              trace(near_first_Rabenseifner_Reduce, 6, 3, MPI_SUM, 1024).bytes_sent);
    EXPECT_EQ(trace(MPICH2004_Reduce, 8, 0, ours.get(), 513).rounds, 3);
}

}  // namespace
}  // namespace mpiaudit::test
