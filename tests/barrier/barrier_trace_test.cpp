// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "allgather/message_trace.h"
#include "collectives/barrier/barrier.h"

namespace mpiaudit::test {
namespace {

TEST(BarrierTrace, DisseminationTakesLogarithmicallyManyRoundsOfEmptyMessages) {
    for (int size = 1; size <= 17; ++size) {
        const Trace traced = trace_of(dissemination_Barrier, size);
        const auto processes = static_cast<std::size_t>(size);
        EXPECT_EQ(traced.rounds, ceil_log2(size));
        EXPECT_EQ(traced.messages_sent, std::vector<int>(processes, ceil_log2(size)));
        EXPECT_EQ(traced.bytes_sent, std::vector<int>(processes, 0));
    }
}

}  // namespace
}  // namespace mpiaudit::test
