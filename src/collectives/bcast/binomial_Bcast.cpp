// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"

#include "collectives/bcast/broadcast.h"
#include "messages/messages.h"

namespace mpiaudit {

void broadcast_by_binomial_tree(void* buffer, int count, MPI_Datatype type,
                                const Processes& processes) {
    int mask = 1;
    while (mask < processes.size && !(processes.rank & mask)) mask *= 2;
    if (processes.rank > 0)
        messages::receive(buffer, count, type, processes.process(processes.rank - mask),
                          message_tag, processes.comm);
    for (mask /= 2; mask > 0; mask /= 2) {
        if (processes.rank + mask >= processes.size) continue;
        messages::send(buffer, count, type, processes.process(processes.rank + mask), message_tag,
                       processes.comm);
    }
}

int binomial_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    broadcast_by_binomial_tree(buffer, count, datatype, Processes{comm, root});
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
