// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpiaudit {

/// A clock of the local rank; seconds.
struct Clock {
    std::string_view name;
    double (*now)();
};

/// "mpi": MPI_Wtime. "monotonic": clock_gettime(CLOCK_MONOTONIC).
std::optional<Clock> find_clock(std::string_view name);
std::vector<std::string> clock_names();

/// Seconds of this machine, for budgets and progress: in a simulation MPI_Wtime is simulated.
double wall_time_s();

/// Seconds for what is told or fitted beside the samples: MPI_Wtime in a simulation; elsewhere
/// those of this machine, as the clock of a library may go back.
double steady_time_s();

/// What a clock can tell, measured on this rank.
struct ClockQuality {
    double resolution_s;  ///< the smallest step that is not zero
    double read_s;        ///< mean time of one reading
    bool goes_back;       ///< whether a reading was earlier than the one before it
};
ClockQuality measure(const Clock& clock);

}  // namespace mpiaudit
