// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpiaudit {

/// A clock of the local rank. now() returns seconds.
struct Clock {
    std::string_view name;
    double (*now)();
};

/// Returns the clock "mpi" (MPI_Wtime) or "monotonic" (clock_gettime(CLOCK_MONOTONIC)); nullopt for
/// other names.
std::optional<Clock> find_clock(std::string_view name);
std::vector<std::string> clock_names();

/// Returns CLOCK_MONOTONIC in seconds, for budgets and progress: MPI_Wtime is simulated in a
/// simulation.
double wall_time_s();

/// Returns seconds for warm-up and fitted models: MPI_Wtime in a simulation, else CLOCK_MONOTONIC,
/// because the clock of a library may go back.
double steady_time_s();

struct ClockQuality {
    double resolution_s;  ///< smallest step above 0
    double read_s;        ///< mean time of one reading
    bool goes_back;       ///< some reading was earlier than the preceding one
};
/// Reads the clock many times in a row and returns what this shows.
ClockQuality measure(const Clock& clock);

}  // namespace mpiaudit
