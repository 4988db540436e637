// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>

#include "schedule/grid.h"

namespace mpiaudit {

/// Makes the schedules for the ranks of a job, each once: they are kept in files, one for each
/// network between the ranks, strategy, port model and block sizes, and later jobs find them there.
class Scheduler {
  public:
    /// Without a folder nothing is kept. `ports` are those of the network.
    Scheduler(Grid grid, std::string folder) : grid_{std::move(grid)}, folder_{std::move(folder)} {}

    const Grid& grid() const { return grid_; }
    /// The schedule for blocks of these sizes, in the form of to_text(). A file that cannot be
    /// written costs the next job some time and no more; one that cannot be read is written again.
    std::string schedule_text(Strategy strategy, std::span<const double> bytes) const;

  private:
    std::string file_of(Strategy strategy, std::span<const double> bytes) const;

    Grid grid_;
    std::string folder_;
};

/// Where schedules are kept for this user: mpiaudit/schedules in $XDG_CACHE_HOME or in ~/.cache;
/// empty when there is neither.
std::string schedule_folder();

/// A schedule as bytes of this machine.
std::string to_text(const AllgatherSchedule& schedule);
/// Nothing when these are not the bytes of a correct allgather.
std::optional<AllgatherSchedule> schedule_from_text(const std::string& text);

}  // namespace mpiaudit
