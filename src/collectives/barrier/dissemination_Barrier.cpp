// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/barrier/barrier.h"

#include "collectives/allgather/processes.h"

namespace mpiaudit {

int dissemination_Barrier(MPI_Comm comm) {
    const Processes processes{comm};
    for (int distance = 1; distance < processes.size; distance *= 2) {
        MPI_Sendrecv(nullptr, 0, MPI_BYTE, processes.process(processes.rank + distance),
                     message_tag, nullptr, 0, MPI_BYTE,
                     processes.process(processes.rank - distance + processes.size), message_tag,
                     processes.comm, MPI_STATUS_IGNORE);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
