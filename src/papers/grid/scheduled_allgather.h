// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "schedule/schedule.h"

namespace mpiaudit {

/// What one process does in a schedule of allgather, whoever made it. The block sizes of a call may
/// differ from those the schedule was made for; that costs time only.
///
/// All receives are posted at the start. A process sends its messages in the order of the schedule,
/// each without waiting for the one before, as soon as it has received what it passes on. No wait
/// is for anything later in the schedule, so there is no deadlock.
class ScheduledAllgather {
  public:
    ScheduledAllgather(const AllgatherSchedule& schedule, int rank);
    /// Of as many processes as the schedule has hosts. \param own MPI_IN_PLACE where the block is
    /// in its place
    void run(const TypedBuffer& own, const Blocks& blocks, const Ranks& ranks) const;

  private:
    struct Part {
        int peer;
        std::vector<int> data;
        std::vector<int> after;  ///< of a send: the receives that its data come with
    };

    std::vector<Part> receives_;
    std::vector<Part> sends_;
};

}  // namespace mpiaudit
