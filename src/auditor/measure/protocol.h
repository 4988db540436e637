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

/// Rounds, with those to warm up, that decide the clear checks of a problem.
inline constexpr std::size_t good_rounds = 35;
/// Those that show that the right side of a check is far slower than the left one: what holds
/// needs less evidence than what accuses the library.
inline constexpr std::size_t rounds_of_the_hopeless = 18;
/// Those that accuse a left side that is three times as slow: 21, and some to warm up.
inline constexpr std::size_t rounds_of_the_clear = 25;

/// The sets of buffers that calls take in turn.
struct Rotation {
    double all_bytes = 0.0;   ///< of all sets of all ranks; 0: there is one set
    double rank_bytes = 0.0;  ///< that no rank has more of, but for the least sets
};

/// How one audit measures each of its problems.
struct Protocol {
    ProtocolOptions options;
    MPI_Comm comm;
    GlobalClock* global_clock;  ///< null when no samples start in a window
    judge::Rule rule;           ///< with the checks over which alpha is divided
    std::uint64_t order_seed;
    const RankNetwork* network;      ///< of --network, where one is given
    const ArrivalPattern* arrivals;  ///< null: all ranks come together
    Rotation rotation;
    /// MPI_Barrier is wrong: our own barrier brings the ranks together in its place.
    bool avoids_native_barrier = false;

    /// What brings the ranks together before what does not start in a window.
    Synchronisation barrier() const;
    /// Results are looked at while they are timed and afterwards; in a simulation one call is like
    /// the other.
    bool looks_again() const;
};

/// A rank has got a signal to end; thrown on all ranks alike.
struct Interrupted {
    int signal;
};

/// Throws Interrupted when a rank has. Collective.
void end_if_interrupted(MPI_Comm comm);

/// Of --buffers rotate. Throws UsageError where the caches are not known.
Rotation rotation(BufferChoice buffers, std::uint64_t memory_bytes, const Machine& machine);

}  // namespace mpiaudit
