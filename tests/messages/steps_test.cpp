// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <new>

#include "messages/agreement.h"
#include "messages/kept_with.h"
#include "messages/recorder.h"
#include "messages/replayed_calls.h"
#include "zero_copy/persistent_requests.h"

namespace mpiaudit {
namespace {

TEST(KeptWith, ACommunicatorKeepsItAndARecordingForgetsIt) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    kept_with<int>(comm) = 3;
    EXPECT_EQ(kept_with<int>(comm), 3);
    EXPECT_EQ(kept_with<long>(comm), 0);
    for (int i = 0; i < 2; ++i) replay_calls(2, [&](int) { EXPECT_EQ(kept_with<int>(comm)++, 0); });
    EXPECT_EQ(kept_with<int>(comm), 3);
    MPI_Comm duplicate = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &duplicate);
    EXPECT_EQ(kept_with<int>(duplicate), 0);
    MPI_Comm_free(&duplicate);
    MPI_Comm_free(&comm);
}

/// The most that one of the ranks sends and receives.
std::size_t most_steps(const Trace& trace) {
    std::size_t most = 0;
    for (int rank = 0; rank < trace.ranks(); ++rank)
        most = std::max(most, static_cast<std::size_t>(std::ranges::count_if(
                                  trace.program(rank), [](const Trace::Operation& each) {
                                      return each.action == Action::send ||
                                             each.action == Action::receive;
                                  })));
    return most;
}

// The harness's agreements after every few rounds, see docs/simulation.md.
TEST(Recording, AgreementsTakeMessagesLikeTheLogarithm) {
    for (const auto& [ranks, rounds] : {std::pair{1000, 10U}, {1024, 10U}, {4097, 13U}}) {
        const Trace samples = replay_calls(
            ranks, [](int) { largest_on_rank_0(std::vector<double>(100), MPI_COMM_SELF); });
        EXPECT_EQ(most_steps(samples), rounds) << ranks;
        EXPECT_EQ(samples.bytes_sent(1), 800) << ranks;
        const Trace agreed = replay_calls(ranks, [](int) { largest_of_ranks(1, MPI_COMM_SELF); });
        EXPECT_EQ(most_steps(agreed), 2 * rounds) << ranks;
    }
}

}  // namespace
}  // namespace mpiaudit
