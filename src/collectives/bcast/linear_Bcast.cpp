// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"

#include "collectives/allgather/processes.h"
#include "messages/messages.h"

namespace mpiaudit {

int linear_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    const Processes processes{comm};
    if (processes.rank != root) {
        messages::receive(buffer, count, datatype, root, message_tag, processes.comm);
        return MPI_SUCCESS;
    }
    for (int destination = 0; destination < processes.size; ++destination) {
        if (destination != root)
            messages::send(buffer, count, datatype, destination, message_tag, processes.comm);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
