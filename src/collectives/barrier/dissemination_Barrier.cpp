// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/barrier/barrier.h"

#include "collectives/allgather/processes.h"
#include "messages/messages.h"

namespace mpiaudit {

int dissemination_Barrier(MPI_Comm comm) {
    const Processes processes{comm};
    for (int distance = 1; distance < processes.size; distance *= 2) {
        messages::exchange(nullptr, 0, MPI_BYTE, processes.process(processes.rank + distance),
                           message_tag, nullptr, 0, MPI_BYTE,
                           processes.process(processes.rank - distance + processes.size),
                           message_tag, processes.comm);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
