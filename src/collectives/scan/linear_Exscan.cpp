// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scan/scan.h"

#include "collectives/allgather/local_copy.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

int linear_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm) {
    const Processes processes{comm};
    const Reduction reduction{count, datatype, op};
    const int rank = processes.rank;
    const bool is_last = rank + 1 == processes.size;
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    if (rank == 0) {
        if (!is_last) messages::send(input, count, datatype, 1, message_tag, processes.comm);
        return MPI_SUCCESS;
    }
    const OperandBuffer next = is_last ? OperandBuffer{} : reduction.buffer(input);
    if (!is_last) local_copy(input, count, datatype, next.get(), count, datatype, processes);
    messages::receive(recvbuf, count, datatype, rank - 1, message_tag, processes.comm);
    if (is_last) return MPI_SUCCESS;
    reduction.combine(recvbuf, next.get());
    messages::send(next.get(), count, datatype, rank + 1, message_tag, processes.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
