// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scan/scan.h"

#include "collectives/allgather/local_copy.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

int recursive_doubling_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                            MPI_Op op, MPI_Comm comm) {
    const Processes processes{comm};
    const Reduction reduction{count, datatype, op};
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    const OperandBuffer own = reduction.buffer(input);
    const OperandBuffer received = reduction.buffer(input);
    void* subtree = own.get();
    void* incoming = received.get();
    local_copy(input, count, datatype, subtree, count, datatype, processes);
    if (input != recvbuf) local_copy(input, count, datatype, recvbuf, count, datatype, processes);
    for (int mask = 1; mask < processes.size; mask *= 2) {
        const int partner = processes.rank ^ mask;
        // A subtree that is cut off by the last process has none above it that would need its sum.
        if (partner >= processes.size) continue;
        messages::exchange(subtree, count, datatype, partner, message_tag, incoming, count,
                           datatype, partner, message_tag, processes.comm);
        if (partner < processes.rank) {
            reduction.combine(incoming, recvbuf);
            reduction.combine(incoming, subtree);
        } else {
            reduction.append(subtree, incoming);
        }
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
