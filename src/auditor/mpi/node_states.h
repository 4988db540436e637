// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "messages/under_test.h"

namespace mpiaudit {

/// Where one rank is, and what it was seen doing.
struct alignas(128) RankState {
    under_test::State at;
    std::atomic<int> rank{-1};
    std::atomic<bool> has_stack{false};
    std::array<char, 1024> stack{};  ///< in words, when it is there
};

/// The states of all ranks of this node in memory that they share: what a rank that hangs is at can
/// be seen without it, and without the library. A rank that cannot share has its own alone.
class NodeStates {
  public:
    /// From now on this rank is seen. Collective.
    explicit NodeStates(MPI_Comm comm);
    ~NodeStates();
    NodeStates(const NodeStates&) = delete;
    NodeStates& operator=(const NodeStates&) = delete;

    std::span<RankState> ranks() { return {states_, count_}; }
    RankState& own() { return states_[own_]; }

    /// The place of the one that speaks for the node when something hangs; -1 before.
    std::atomic<int>& speaker() { return header_->speaker; }
    std::atomic<bool>& is_over() { return header_->is_over; }
    /// When all ranks of the node end, in nanoseconds of the steady clock; 0 before rank 0 says it.
    std::atomic<std::int64_t>& end_ns() { return header_->end_ns; }

  private:
    struct alignas(128) Header {
        std::atomic<int> speaker{-1};
        std::atomic<bool> is_over{false};
        std::atomic<std::int64_t> end_ns{0};
    };
    bool share(MPI_Comm node, int place, int ranks);
    void use(void* memory);

    Header* header_ = nullptr;
    RankState* states_ = nullptr;
    std::size_t count_ = 1, own_ = 0, bytes_ = 0;
};

}  // namespace mpiaudit
