// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scan/scan.h"

#include "collectives/allgather/local_copy.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

int linear_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm) {
    const Processes processes{comm};
    const Reduction reduction{count, datatype, op};
    const int rank = processes.rank;
    if (sendbuf != MPI_IN_PLACE)
        local_copy(sendbuf, count, datatype, recvbuf, count, datatype, processes);
    if (rank > 0) {
        const OperandBuffer prefix = reduction.buffer(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf);
        messages::receive(prefix.get(), count, datatype, rank - 1, message_tag, processes.comm);
        reduction.combine(prefix.get(), recvbuf);
    }
    if (rank + 1 < processes.size)
        messages::send(recvbuf, count, datatype, rank + 1, message_tag, processes.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
