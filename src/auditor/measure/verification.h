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

/// Some faults hit every tenth call only, others each start of a persistent operation but the
/// first. A path is run `fewest_runs` times, in a simulation once, and again, `most_runs` times at
/// most, while that takes no more than `seconds`.
struct Repetition {
    int most_runs = 1;
    double seconds = 0.0;
    int fewest_runs = 1;
};
inline constexpr Repetition several{12, 1e-3, 2};

/// What calls leave behind in the memory of the rank where that is most.
struct Growth {
    double first_bytes = 0.0;    ///< resident, by the first call
    double further_bytes = 0.0;  ///< resident, by each further one, on average
    /// Allocated by a call and never freed: the median over hundreds of calls after the first 600.
    double lost_bytes = 0.0;
    double call_bytes = 0.0;  ///< resident during a call, at most, and not before it
};

/// Runs a prepared path on sources of known contents and looks at what it left: every block in its
/// place, nothing stale, nothing behind the ends, the sources as they were, what it agreed on, and
/// the error codes that it returned. Of a barrier, that nobody leaves before all have come. Returns
/// what is wrong on the lowest rank that found something, the same text on every rank. Collective.
/// \param growth where it is to be known
std::optional<std::string> verify(const Step& prepared, Layout from, Layout to,
                                  const Instance& instance, Repetition repetition = {},
                                  Growth* growth = nullptr);

/// The error that the calls on this rank have returned since the last time, in words.
std::optional<std::string> returned_error(int rank);

/// What came of a path.
struct Verified {
    std::optional<std::string> wrong;    ///< as verify() says it
    std::optional<std::string> refused;  ///< by the library, which was to use a forced algorithm
    std::optional<Growth> growth = {};   ///< nothing in a simulation
};

/// Prepares and verifies the path three times. First on buffers of its own that have exactly the
/// size that it needs: they end where protected pages begin, then they begin where such end. So
/// whatever is read or written behind a buffer, then before it, is noted by watch_bounds(), and
/// what is written into the rest of a page on the other side is found by a pattern there. Not where
/// buffers exceed 1 MiB per rank, and not in a simulation. Then, if that went well, several times
/// on the buffers of `instance`. The same on every rank. Collective.
Verified verify_guarded(const Path& path, const Instance& instance,
                        Repetition repetition = several);

/// Runs a barrier with one rank or another coming late: who leaves it tells the late one, which has
/// not come yet as long as it has not heard of any. So a barrier is never accused for being slow;
/// one that lets a rank pass too early is found but for an unlucky scheduler. Returns what is wrong
/// on this rank. Collective; only the first `members` ranks have to wait for each other.
std::optional<std::string> find_early_leaver(const Call& barrier, MPI_Comm comm, int members);

/// The library's barrier is wrong, which brings the ranks together: no time behind it means what it
/// should. Thrown on all ranks alike.
class WrongBarrier : public std::runtime_error {
  public:
    explicit WrongBarrier(const std::string& what) : std::runtime_error(what) {}
};

/// Throws WrongBarrier where the protocol uses the library's barrier and it is wrong. Collective.
void require_right_barrier(const Protocol& protocol);

/// What it takes to bring the ranks together, in the median of a few times; seconds. Collective.
double barrier_time_s(const Protocol& protocol);

}  // namespace mpiaudit
