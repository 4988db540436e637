// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <numeric>

#include "collectives/allgather/allgather.h"
#include "message_trace.h"

namespace mpiaudit::test {
namespace {

constexpr int largest_size = 17;
constexpr int block_bytes = 12;

/// One call with blocks of 12 bytes.
Trace trace(decltype(&MPI_Allgather) allgather, int size, int count = block_bytes) {
    return trace_of(
        [&](MPI_Comm comm) {
            const std::vector<char> sent(static_cast<std::size_t>(count), 'x');
            std::vector<char> received(static_cast<std::size_t>(count) * largest_size);
            allgather(sent.data(), count, MPI_BYTE, received.data(), count, MPI_BYTE, comm);
        },
        size);
}

/// Every process sends and receives the blocks of p - 1 processes in that many messages.
void expect_minimal_volume(const Trace& trace, int size, int messages) {
    const std::vector<int> volumes(static_cast<std::size_t>(size), (size - 1) * block_bytes);
    EXPECT_EQ(trace.bytes_sent, volumes);
    EXPECT_EQ(trace.bytes_received, volumes);
    EXPECT_EQ(trace.messages_sent, std::vector<int>(static_cast<std::size_t>(size), messages));
    EXPECT_EQ(trace.datatypes_kept, 0);
}

TEST(AllgatherTrace, RingAndSpreadingSimpleTakeOneRoundForEveryOtherProcess) {
    for (int size = 1; size <= largest_size; ++size) {
        for (const auto allgather : {ring_Allgather, spreading_simple_Allgather}) {
            const Trace traced = trace(allgather, size);
            EXPECT_EQ(traced.rounds, size - 1);
            expect_minimal_volume(traced, size, size - 1);
        }
    }
}

TEST(AllgatherTrace, SimpleSendsOneMessageToEveryOtherProcess) {
    for (int size = 1; size <= largest_size; ++size) {
        const Trace traced = trace(simple_Allgather, size);
        EXPECT_EQ(traced.messages_sent, std::vector<int>(static_cast<std::size_t>(size), size - 1));
        EXPECT_EQ(traced.bytes_sent,
                  std::vector<int>(static_cast<std::size_t>(size), (size - 1) * block_bytes));
    }
}

TEST(AllgatherTrace, DisseminationTakesLogarithmicallyManyRounds) {
    for (int size = 1; size <= largest_size; ++size) {
        const Trace traced = trace(dissemination_Allgather, size);
        EXPECT_EQ(traced.rounds, ceil_log2(size));
        expect_minimal_volume(traced, size, ceil_log2(size));
    }
}

TEST(AllgatherTrace, RecursiveDoublingTakesAtMostTwiceLogarithmicallyManyRounds) {
    for (int size = 1; size <= largest_size; ++size) {
        const Trace traced = trace(recursive_doubling_Allgather, size);
        EXPECT_LE(traced.rounds, recursive_doubling_rounds(size)) << size;
        EXPECT_GE(traced.rounds, ceil_log2(size)) << size;
        EXPECT_LE(traced.rounds, 2 * ceil_log2(size)) << size;
        EXPECT_EQ(traced.bytes_received,
                  std::vector<int>(static_cast<std::size_t>(size), (size - 1) * block_bytes));
        if (floor_log2(size) == ceil_log2(size))
            expect_minimal_volume(traced, size, ceil_log2(size));
    }
}

TEST(AllgatherTrace, GatherAndBcastTakeTheRoundsOfTwoBinomialTrees) {
    for (int size = 1; size <= largest_size; ++size) {
        const Trace traced = trace(gather_bcast_Allgather, size);
        EXPECT_EQ(traced.rounds, 2 * ceil_log2(size));
        EXPECT_EQ(traced.bytes_sent[0], size * block_bytes * ceil_log2(size));
        const int messages =
            std::accumulate(traced.messages_sent.begin(), traced.messages_sent.end(), 0);
        EXPECT_EQ(messages, 2 * (size - 1));
    }
}

TEST(AllgatherTrace, MPICH2004TakesTheRingFrom512KiBOn) {
    constexpr int size = 16;
    constexpr int limit_bytes = 512 * 1024 / size;
    EXPECT_EQ(trace(MPICH2004_Allgather, size, limit_bytes - 1).rounds, 4);
    EXPECT_EQ(trace(MPICH2004_Allgather, size, limit_bytes).rounds, size - 1);
}

TEST(AllgatherTrace, MPICH2004LooksAtTheSumOfIrregularBlocks) {
    constexpr int size = 16, limit_bytes = 512 * 1024;
    for (const int sum : {limit_bytes - 1, limit_bytes}) {
        std::vector<int> counts(size, 1), displacements(size);
        counts[3] = sum - (size - 1);
        std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), 0);
        const auto call = [&](MPI_Comm comm) {
            std::vector<char> received(limit_bytes);
            MPICH2004_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, received.data(), counts.data(),
                                 displacements.data(), MPI_BYTE, comm);
        };
        EXPECT_EQ(trace_of(call, size).rounds, sum < limit_bytes ? 4 : size - 1);
    }
}

TEST(AllgatherTrace, IrregularBlocksGoTheSameWays) {
    struct Pair {
        decltype(&MPI_Allgather) regular;
        decltype(&MPI_Allgatherv) irregular;
    };
    for (const int size : {1, 2, 3, 4, 6, 7, 13, largest_size}) {
        // In reverse order with gaps, so that datatypes are needed.
        std::vector<int> counts(static_cast<std::size_t>(size), block_bytes);
        std::vector<int> displacements(counts.size());
        for (int rank = 0; rank < size; ++rank)
            displacements[static_cast<std::size_t>(rank)] = (size - 1 - rank) * 2 * block_bytes;
        for (const auto& [regular, irregular] :
             {Pair{ring_Allgather, ring_Allgatherv},
              Pair{recursive_doubling_Allgather, recursive_doubling_Allgatherv},
              Pair{dissemination_Allgather, dissemination_Allgatherv},
              Pair{simple_Allgather, simple_Allgatherv},
              Pair{spreading_simple_Allgather, spreading_simple_Allgatherv},
              Pair{gather_bcast_Allgather, gather_bcast_Allgatherv}}) {
            const Trace expected = trace(regular, size);
            const auto call = [&, function = irregular](MPI_Comm comm) {
                std::vector<char> received(2 * block_bytes * largest_size);
                function("sent to all!", block_bytes, MPI_BYTE, received.data(), counts.data(),
                         displacements.data(), MPI_BYTE, comm);
            };
            const Trace traced = trace_of(call, size);
            EXPECT_EQ(traced.rounds, expected.rounds);
            EXPECT_EQ(traced.messages_sent, expected.messages_sent);
            EXPECT_EQ(traced.bytes_sent, expected.bytes_sent);
            EXPECT_EQ(traced.bytes_received, expected.bytes_received);
            EXPECT_EQ(traced.datatypes_kept, 0);
        }
    }
}

}  // namespace
}  // namespace mpiaudit::test
