// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "schedule/schedule.h"

namespace mpiaudit {

/// What one process does in a schedule of allgather, whoever made it: the context of calls with the
/// signatures of MPI_Allgather and MPI_Allgatherv. The block sizes of a call may differ from those
/// the schedule was made for; that costs time only.
///
/// All receives are posted at the start. A process sends its messages in the order of the schedule,
/// each without waiting for the one before, as soon as it has received what it passes on. No wait
/// is for anything later in the schedule, so there is no deadlock.
class ScheduledAllgather {
  public:
    ScheduledAllgather(const AllgatherSchedule& schedule, int rank);

    /// On a communicator of as many processes as the schedule has hosts, else MPI_ERR_COMM.
    int allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm) const;
    /// The same with irregular blocks.
    int allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                   MPI_Comm comm) const;

  private:
    struct Part {
        int peer;
        std::vector<int> data;
        std::vector<int> after;  ///< of a send: the receives that its data come with
    };
    int run(const void* sendbuf, int sendcount, MPI_Datatype sendtype, const Blocks& blocks,
            const Ranks& ranks) const;

    int hosts_;
    std::vector<Part> receives_;
    std::vector<Part> sends_;
};

}  // namespace mpiaudit
