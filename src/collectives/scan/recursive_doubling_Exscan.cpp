// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scan/scan.h"

#include "collectives/allgather/local_copy.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

int recursive_doubling_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                              MPI_Op op, MPI_Comm comm) {
    const Processes processes{comm};
    const Reduction reduction{count, datatype, op};
    const OperandBuffer own = reduction.buffer(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf);
    const OperandBuffer received = reduction.buffer(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf);
    void* subtree = own.get();
    void* incoming = received.get();
    local_copy(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, count, datatype, subtree, count,
               datatype, processes);
    bool has_prefix = false;
    for (int mask = 1; mask < processes.size; mask *= 2) {
        const int partner = processes.rank ^ mask;
        if (partner >= processes.size) continue;
        messages::exchange(subtree, count, datatype, partner, message_tag, incoming, count,
                           datatype, partner, message_tag, processes.comm);
        if (partner > processes.rank) {
            reduction.append(subtree, incoming);
            continue;
        }
        if (has_prefix)
            reduction.combine(incoming, recvbuf);
        else
            local_copy(incoming, count, datatype, recvbuf, count, datatype, processes);
        has_prefix = true;
        reduction.combine(incoming, subtree);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
