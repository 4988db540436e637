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
    MPI_Comm comm;
    Clock clock;
    SampleStarts starts;
    GlobalClock* global_clock;  ///< null when no samples start in a window
    std::optional<int> warmup;  ///< rounds; nothing: until their time settles
    int max_rounds;
    double time_per_problem_s;  ///< for rounds after these, while checks are open
    judge::Rule rule;
    std::uint64_t order_seed;
    const RankNetwork* network;      ///< of --network, where one is given
    const ArrivalPattern* arrivals;  ///< null: all ranks come together
    BufferChoice buffers;            ///< where they are before each sample
    Rotation rotation;
    bool compares_heaps;    ///< grown is set; where it matters, the other one, too
    bool keeps_rank_times;  ///< arrivals and exits of all ranks, in the window only
    bool in_a_row;          ///< all calls of a contestant, then those of the next one
    bool no_communication;  ///< the datatype work of each contestant alone
    bool shared_buffers;    ///< buffers hold no data: only in a simulation

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

/// As the options say it. \param rule with the checks over which alpha is divided
Protocol make_protocol(const ProtocolOptions& options, const judge::Rule& rule,
                       const RankNetwork* network, GlobalClock* global_clock,
                       std::uint64_t order_seed, const ArrivalPattern* arrivals = nullptr,
                       const Rotation& rotation = {});

/// Of --buffers rotate. Throws UsageError where the caches are not known.
Rotation rotation(BufferChoice buffers, std::uint64_t memory_bytes, const Machine& machine);

}  // namespace mpiaudit
