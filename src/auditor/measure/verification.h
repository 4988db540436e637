// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <optional>
#include <stdexcept>
#include <string>

#include "catalogue/arrow.h"
#include "guidelines/guideline.h"
#include "measure/protocol.h"
#include "messages/under_test.h"

namespace mpiaudit {

/// Number of calls to verify a path: at least `fewest_runs` times (once in a simulation), and up to
/// `most_runs` times within `seconds`. Some faults hit every tenth call, others every start of a
/// persistent operation but the first.
struct Repetition {
    int most_runs = 1;
    double seconds = 0.0;
    int fewest_runs = 1;
};
inline constexpr Repetition usual_repetition{12, 1e-3, 2};

/// Growth of memory by calls, on the rank with the most.
struct Growth {
    double first_bytes = 0.0;    ///< resident, by the first call
    double further_bytes = 0.0;  ///< resident, mean over further calls
    /// Allocated and not freed by a call: median over hundreds of calls after the first 600.
    double lost_bytes = 0.0;
    double call_bytes = 0.0;  ///< resident during a call only, maximum
};

/// Calls a prepared path on sources with known contents and checks the result: every block is in
/// its place, nothing is stale, nothing outside of the buffers has changed, the sources are
/// unchanged, agreements are right, and no call returned an error. For a barrier checks that no
/// rank leaves before all have entered. Returns the error of the lowest rank that found one, equal
/// on every rank; nullopt if there is none. Collective.
/// \param growth set to the growth of memory unless null
std::optional<std::string> verify(const Step& prepared, Layout from, Layout to,
                                  const Instance& instance, Repetition repetition = {},
                                  Growth* growth = nullptr);

/// Returns the error that calls on this rank returned since the last time, as text; nullopt if
/// there is none.
std::optional<std::string> returned_error(int rank);

/// The result of verifying a path.
struct Verified {
    std::optional<std::string> wrong;    ///< error, as from verify()
    std::optional<std::string> refused;  ///< why the library refused the forced algorithm
    std::optional<Growth> growth = {};   ///< nullopt in a simulation
};

/// Verifies a path on guarded buffers and then on those of `instance`. Guarded buffers have the
/// exact size of the path; they end where protected pages begin, and in a second run begin where
/// protected pages end, so that watch_bounds() notes any access outside; patterns show writes into
/// the rest of a page. Guarded buffers are skipped if they exceed 1 MiB per rank, and in a
/// simulation. Returns equal results on every rank. Collective.
Verified verify_guarded(const Path& path, const Instance& instance,
                        Repetition repetition = usual_repetition);

/// Runs a barrier in which one rank enters late. Ranks that leave tell the late rank, which must
/// not hear from any before it enters. So a slow barrier is never accused; a barrier that lets a
/// rank pass early is found unless the scheduler hides it. Returns the error on this rank; nullopt
/// if there is none. Collective.
/// \param members the first ranks, which have to wait for each other
std::optional<std::string> find_early_leaver(const Call& barrier, MPI_Comm comm, int members);

/// Thrown on all ranks alike if the barrier that synchronises the ranks is wrong, so that no time
/// means anything.
class WrongBarrier : public std::runtime_error {
  public:
    explicit WrongBarrier(const std::string& what) : std::runtime_error(what) {}
};

/// Throws WrongBarrier if the protocol uses the library's barrier and it is wrong. Collective.
void require_right_barrier(const Protocol& protocol);

/// Returns the median time of a synchronisation of the ranks, in seconds. Collective.
double barrier_time_s(const Protocol& protocol);

}  // namespace mpiaudit
