// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "catalogue/arrow.h"
#include "causes/fault.h"
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

/// Growth of memory by calls, on the rank with the most; 0 where nothing was measured.
struct Growth {
    double first_bytes = 0.0;    ///< resident, by the first call
    double further_bytes = 0.0;  ///< resident, mean over further calls
    /// Allocated and not freed by a call: median over hundreds of calls after the first 600. 0 if
    /// the verified calls raised no suspicion, or if such calls would take too long.
    double lost_bytes = 0.0;
    bool is_loss_unknown = false;  ///< the calls would take too long
    double call_bytes = 0.0;       ///< resident during a call only, maximum
};

/// Calls a prepared path on sources with known contents and checks the result: every block is in
/// its place, nothing is stale, nothing outside of the buffers has changed, the sources are
/// unchanged (unless the path works in place), agreements are right, and no call returned an error.
/// For a barrier checks that no rank leaves before all have entered. Returns the error of the
/// lowest rank that found one, equal on every rank; nullopt if there is none. Overwrites the
/// sources and targets. Collective.
/// \param growth set to the growth of memory unless null; `call_bytes` stays 0
std::optional<Fault> verify(const Step& prepared, Layout from, Layout to, const Instance& instance,
                            Repetition repetition = {}, Growth* growth = nullptr);

/// Returns the first error that calls on this rank returned since the last call of this function;
/// nullopt if there is none.
std::optional<Fault> returned_error(int rank);

/// The result of verifying a path.
struct Verified {
    std::optional<Fault> wrong;          ///< as from verify(); none if `refused`
    std::optional<std::string> refused;  ///< why the library refused the forced algorithm
    std::optional<Growth> growth = {};  ///< nullopt in a simulation, or without a run on `instance`
};

/// Verifies a path on guarded buffers and then, if these show no error, on those of `instance`.
/// Guarded buffers have the exact size of the path; they end where protected pages begin, and in a
/// second run begin where protected pages end, so that watch_bounds() notes any access outside;
/// patterns show writes into the rest of a page. Guarded buffers are skipped if they exceed 1 MiB
/// per rank, and in a simulation. Afterwards the path's algorithm of the library is still forced.
/// Returns equal results on every rank. Collective.
Verified verify_guarded(const Path& path, const Instance& instance,
                        Repetition repetition = usual_repetition);

/// Runs the barrier up to three times, and each time another rank enters late: the first, a middle
/// and the last one. Ranks that leave tell the late rank, which must not hear from any before it
/// enters. So a slow barrier is never accused; a barrier that lets a rank pass early is found
/// unless the scheduler hides it. Returns the error on this rank; nullopt if there is none. With
/// one member, and in a simulation whose time stands still, only runs the barrier once. Collective.
/// \param members the first ranks, which have to wait for each other
std::optional<std::string> find_early_leaver(const Call& barrier, MPI_Comm comm, int members);

/// Thrown on all ranks alike if the barrier that synchronises the ranks is wrong, so that no time
/// means anything.
class WrongBarrier : public std::runtime_error {
  public:
    explicit WrongBarrier(Fault found) : std::runtime_error(found.text), fault{std::move(found)} {}
    Fault fault;
};

/// Throws WrongBarrier if the protocol uses the library's barrier and that barrier is wrong or
/// returns an error. Does nothing in a simulation whose time stands still. Collective.
void require_right_barrier(const Protocol& protocol);

/// Returns the median time of 25 synchronisations by the protocol's barrier on this rank, in
/// seconds. Collective.
double barrier_time_s(const Protocol& protocol);

}  // namespace mpiaudit
