// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <numeric>

#include "allgather/message_trace.h"
#include "collectives/bcast/bcast.h"

namespace mpiaudit::test {
namespace {

constexpr int largest_size = 17;

Trace trace(decltype(&MPI_Bcast) bcast, int size, int bytes, int root) {
    return trace_of(
        [&](MPI_Comm comm) {
            std::vector<char> buffer(static_cast<std::size_t>(bytes));
            bcast(buffer.data(), bytes, MPI_BYTE, root, comm);
        },
        size);
}

int total(const std::vector<int>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0);
}

TEST(BcastTrace, BinomialTakesLogarithmicallyManyRounds) {
    constexpr int bytes = 100;
    for (int size = 1; size <= largest_size; ++size) {
        const int root = size / 2;
        const Trace traced = trace(binomial_Bcast, size, bytes, root);
        EXPECT_EQ(traced.rounds, ceil_log2(size));
        EXPECT_EQ(traced.bytes_sent[static_cast<std::size_t>(root)], bytes * ceil_log2(size));
        EXPECT_EQ(total(traced.bytes_sent), bytes * (size - 1));
    }
}

TEST(BcastTrace, LinearTakesOneRoundForEveryOtherProcess) {
    constexpr int bytes = 100;
    for (int size = 1; size <= largest_size; ++size) {
        const Trace traced = trace(linear_Bcast, size, bytes, size - 1);
        EXPECT_EQ(traced.rounds, size - 1);
        EXPECT_EQ(traced.bytes_sent.back(), bytes * (size - 1));
    }
}

// The root sends all parts but its own twice: 2 (p-1)/p n.
TEST(BcastTrace, VanDeGeijnSendsAllPartsTwice) {
    constexpr int part_bytes = 12;
    for (int size = 1; size <= largest_size; ++size) {
        const auto root = static_cast<std::size_t>(size / 2);
        const Trace ring =
            trace(van_de_Geijn_ring_Bcast, size, size * part_bytes, static_cast<int>(root));
        EXPECT_LE(ring.rounds, ceil_log2(size) + size - 1);
        EXPECT_EQ(ring.bytes_sent[root], 2 * (size - 1) * part_bytes);
        EXPECT_EQ(ring.messages_sent[root], ceil_log2(size) + size - 1);
        EXPECT_EQ(ring.datatypes_kept, 0);
        const Trace doubling = trace(van_de_Geijn_recursive_doubling_Bcast, size, size * part_bytes,
                                     static_cast<int>(root));
        EXPECT_LE(doubling.rounds, ceil_log2(size) + recursive_doubling_rounds(size));
        if (power_of_two_in(size) == size) {
            EXPECT_EQ(doubling.rounds, 2 * ceil_log2(size));
            EXPECT_EQ(doubling.bytes_sent[root], 2 * (size - 1) * part_bytes);
        }
    }
}

TEST(BcastTrace, MPICH2004ChangesAt12KiBAndAt512KiB) {
    const auto messages_of_root = [](int bytes) {
        return trace(MPICH2004_Bcast, 16, bytes, 0).messages_sent[0];
    };
    EXPECT_EQ(messages_of_root(12 * 1024 - 1), 4);
    EXPECT_EQ(messages_of_root(12 * 1024), 4 + 4);
    EXPECT_EQ(messages_of_root(512 * 1024 - 1), 4 + 4);
    EXPECT_EQ(messages_of_root(512 * 1024), 4 + 15);
}

}  // namespace
}  // namespace mpiaudit::test
