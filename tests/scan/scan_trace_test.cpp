// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "allgather/message_trace.h"
#include "collectives/scan/scan.h"

namespace mpiaudit::test {
namespace {

constexpr int items = 10;
constexpr int bytes = 40;

Trace trace(decltype(&MPI_Scan) scan, int size) {
    return trace_of(
        [&](MPI_Comm comm) {
            const std::vector<int> sent(items);
            std::vector<int> received(items);
            scan(sent.data(), received.data(), items, MPI_INT, MPI_SUM, comm);
        },
        size);
}

TEST(ScanTrace, RecursiveDoublingTakesLogarithmicallyManyRounds) {
    for (int size = 1; size <= 17; ++size) {
        for (const auto scan : {recursive_doubling_Scan, recursive_doubling_Exscan}) {
            const Trace traced = trace(scan, size);
            EXPECT_EQ(traced.rounds, ceil_log2(size));
            for (int rank = 0; rank < size; ++rank) {
                int partners = 0;
                for (int mask = 1; mask < size; mask *= 2) partners += (rank ^ mask) < size;
                EXPECT_EQ(traced.bytes_sent[static_cast<std::size_t>(rank)], bytes * partners);
            }
        }
    }
}

TEST(ScanTrace, LinearGoesFromProcessToProcess) {
    for (int size = 1; size <= 17; ++size) {
        for (const auto scan : {linear_Scan, linear_Exscan}) {
            const Trace traced = trace(scan, size);
            std::vector<int> expected(static_cast<std::size_t>(size), bytes);
            expected.back() = 0;
            EXPECT_EQ(traced.rounds, size - 1);
            EXPECT_EQ(traced.bytes_sent, expected);
        }
    }
}

}  // namespace
}  // namespace mpiaudit::test
