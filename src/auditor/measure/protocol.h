// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <cstdint>
#include <optional>

#include "judge/verdict.h"
#include "machine/machine.h"
#include "options/options.h"
#include "problem/arrivals.h"
#include "timing/clock.h"
#include "timing/global_clock.h"
#include "timing/synchronisation.h"

namespace mpiaudit {

class RankNetwork;

/// Rounds, warm-up included, that decide a clear check.
inline constexpr std::size_t good_rounds = 35;
/// Rounds that show that the right side of a check is far slower than the left side: that a
/// guideline holds needs less evidence than that it is violated.
inline constexpr std::size_t rounds_of_the_hopeless = 18;
/// Rounds that show a violation by a left side that is three times as slow: 21, and warm-up.
inline constexpr std::size_t rounds_of_the_clear = 25;

/// Sizes for the sets of buffers that calls take in turn.
struct Rotation {
    double all_bytes = 0.0;   ///< least bytes of all sets on all ranks; 0: one set
    double rank_bytes = 0.0;  ///< limit for the sets of a rank
};

/// The measuring protocol of an audit.
struct Protocol {
    ProtocolOptions options;
    MPI_Comm comm;
    GlobalClock* global_clock;  ///< null if no samples start in a window
    judge::Rule rule;           ///< includes the number of checks that share alpha
    std::uint64_t order_seed;
    const RankNetwork* network;      ///< network of --network; may be null
    const ArrivalPattern* arrivals;  ///< null: all ranks arrive together
    Rotation rotation;
    /// MPI_Barrier is wrong, and mpiaudit's own barrier replaces it.
    bool avoids_native_barrier = false;

    /// Returns the barrier before samples that do not start in a window.
    Synchronisation barrier() const;
    /// Returns whether results are verified between and after timed calls; false in a simulation,
    /// where all calls are alike.
    bool verifies_again() const;
};

/// Thrown on all ranks alike when a rank has received a signal to end.
struct Interrupted {
    int signal;
};

/// Throws Interrupted if any rank has received a signal. Collective.
void end_if_interrupted(MPI_Comm comm);

/// Returns the sizes for --buffers rotate; no rotation for other values.
Rotation rotation(BufferChoice buffers, std::uint64_t memory_bytes, const Machine& machine);

}  // namespace mpiaudit
