// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

/// The progress of this rank through calls of operations under test, for observers (see
/// mpi/watchdog.h). Updated by plain stores outside of timed code.
namespace mpiaudit::under_test {

/// The operation number of the library's barrier as a synchronisation.
inline constexpr std::int32_t barrier_of_harness = -1;
/// The name of that barrier in reports.
inline constexpr const char* name_of_barrier = "MPI_Barrier (--sync)";

/// The stage of a rank in a call. `in_harness`: between calls, in the harness's own messages.
enum Stage : std::int32_t { elsewhere, arriving, synchronising, inside, left, in_harness };

/// Other threads, and other processes of the node, read this state.
struct State {
    std::atomic<std::uint32_t> calls{0};     ///< calls that this rank has begun; equal on all ranks
    std::atomic<std::int32_t> operation{0};  ///< number of the operation
    std::atomic<std::int32_t> stage{elsewhere};
    std::atomic<std::uint32_t> exchanges{0};  ///< exchanges of the harness that this rank has begun
    std::atomic<bool> is_measured{true};      ///< false: see mpi/part_of_launch.h
};

inline State own_state;
inline State* state = &own_state;  ///< or in shared memory, where other processes see it
/// Per thread: threads of an application may call operations at one time.
inline thread_local int first_error = MPI_SUCCESS;

/// Announces a call of this operation, possibly after a synchronisation.
inline void arrive(int operation) {
    state->operation.store(operation, std::memory_order_relaxed);
    state->calls.store(state->calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    state->stage.store(arriving, std::memory_order_release);
}
/// Announces the synchronisation before the call.
inline void synchronise() {
    state->stage.store(synchronising, std::memory_order_relaxed);
}
/// Announce begin and end of the call.
inline void enter() {
    state->stage.store(inside, std::memory_order_relaxed);
}
inline void leave() {
    state->stage.store(left, std::memory_order_relaxed);
}
inline void enter_harness() {
    state->stage.store(in_harness, std::memory_order_relaxed);
}
/// Announces that no operation is under test.
inline void finish() {
    state->stage.store(elsewhere, std::memory_order_relaxed);
}
/// Marks this rank as being in the harness's own messages while this object lives. No operation is
/// to blame if these messages do not arrive: a host may be lost. No rank may wait in such a message
/// for work that one rank does alone.
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

/// Keeps the first error code that a library function returns: a library may return one without
/// calling the error handler.
inline void look_at(int code) {
    if (code != MPI_SUCCESS && first_error == MPI_SUCCESS) [[unlikely]]
        first_error = code;
}
/// Returns and clears the kept error code.
inline int take_error() {
    return std::exchange(first_error, MPI_SUCCESS);
}

}  // namespace mpiaudit::under_test

namespace mpiaudit {

/// A timed call: no arguments, no allocation, no result.
using Call = std::function<void()>;

}  // namespace mpiaudit
