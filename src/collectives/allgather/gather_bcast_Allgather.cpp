// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include <algorithm>

#include "collectives/allgather/replicate.h"
#include "collectives/bcast/broadcast.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

// The blocks of a subtree of the binomial tree are consecutive. Every process has room for all
// blocks, so that they are gathered in their final places on the way to the root, process 0.
void gather_to_first(void* buffer, const Blocks& blocks, const Processes& processes) {
    const int rank = processes.rank;
    for (int mask = 1; mask < processes.size; mask *= 2) {
        const int first = (rank & mask) ? rank : rank + mask;
        if (first >= processes.size) continue;
        const Message subtree = blocks.message(first, std::min(mask, processes.size - first));
        if (rank & mask) {
            messages::send(subtree.in(buffer), subtree.count, subtree.type, rank - mask,
                           message_tag, processes.comm);
            return;
        }
        messages::receive(subtree.in(buffer), subtree.count, subtree.type, rank + mask, message_tag,
                          processes.comm);
    }
}

void replicate_by_root(void* buffer, const Blocks& blocks, const Processes& processes) {
    gather_to_first(buffer, blocks, processes);
    const Message all = blocks.message(0, processes.size);
    broadcast_by_binomial_tree(all.in(buffer), all.count, all.type, processes);
}

}  // namespace

int gather_bcast_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return allgather_by(replicate_by_root, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                        recvtype, comm);
}

int gather_bcast_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, const int recvcounts[], const int displs[],
                            MPI_Datatype recvtype, MPI_Comm comm) {
    return allgatherv_by(replicate_by_root, sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                         displs, recvtype, comm);
}

}  // namespace mpiaudit
