// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

/// The call of an operation under test that this rank is at: what it said of itself, and where the
/// rank is, for who looks from outside (see mpi/watchdog.h). Plain stores, outside of what is
/// timed.
namespace mpiaudit::under_test {

/// The number of the library's barrier where it brings the ranks together.
inline constexpr std::int32_t barrier_of_harness = -1;
/// What is said of it.
inline constexpr const char* name_of_barrier = "MPI_Barrier (--sync)";

/// Where a rank is on its way through one call; steering: between calls, in the harness's own
/// messages, for which nobody is late.
enum Stage : std::int32_t { elsewhere, arriving, synchronising, inside, left, in_harness };

/// Read by another thread, and by other processes of the node.
struct State {
    std::atomic<std::uint32_t> calls{0};     ///< that this rank has begun, the same on all ranks
    std::atomic<std::int32_t> operation{0};  ///< which of those that the ranks know by number
    std::atomic<std::int32_t> stage{elsewhere};
    std::atomic<std::uint32_t> exchanges{0};  ///< that this rank has begun beside the calls
};

inline State own_state;
inline State* state = &own_state;  ///< or where others see it
/// Of this thread: threads of an application may be in calls side by side.
inline thread_local int first_error = MPI_SUCCESS;

/// A call of this operation comes next, possibly after a synchronisation.
inline void arrive(int operation) {
    state->operation.store(operation, std::memory_order_relaxed);
    state->calls.store(state->calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    state->stage.store(arriving, std::memory_order_release);
}
/// In the library's barrier, where it is one, before the call.
inline void synchronise() {
    state->stage.store(synchronising, std::memory_order_relaxed);
}
inline void enter() {
    state->stage.store(inside, std::memory_order_relaxed);
}
inline void leave() {
    state->stage.store(left, std::memory_order_relaxed);
}
inline void enter_harness() {
    state->stage.store(in_harness, std::memory_order_relaxed);
}
/// No operation is under test any more.
inline void finish() {
    state->stage.store(elsewhere, std::memory_order_relaxed);
}
/// While it lives this rank is in messages of the harness, which no operation is to blame for, but
/// which do not arrive either where a host is lost. None may wait for what one rank does alone.
class InHarness {
  public:
    InHarness() : is_first_{state->stage.load(std::memory_order_relaxed) == elsewhere} {
        if (!is_first_) return;
        state->exchanges.fetch_add(1, std::memory_order_relaxed);
        enter_harness();
    }
    ~InHarness() {
        if (is_first_) finish();
    }
    InHarness(const InHarness&) = delete;
    InHarness& operator=(const InHarness&) = delete;

  private:
    bool is_first_;
};
inline bool is_inside() {
    const auto stage = state->stage.load(std::memory_order_relaxed);
    return stage == inside || stage == synchronising;
}

/// What a function of the library has returned. The first code that is none of success is kept: a
/// library may return one without calling the error handler.
inline void look_at(int code) {
    if (code != MPI_SUCCESS && first_error == MPI_SUCCESS) [[unlikely]]
        first_error = code;
}
inline int take_error() {
    return std::exchange(first_error, MPI_SUCCESS);
}

}  // namespace mpiaudit::under_test

namespace mpiaudit {

/// What the clock sees: no arguments, no allocation, no result.
using Call = std::function<void()>;

}  // namespace mpiaudit
