// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"

#include "collectives/allgather/local_copy.h"
#include "collectives/reduce_scatter/fold.h"
#include "messages/messages.h"

namespace mpiaudit {

int recursive_doubling_Allreduce(const void* sendbuf, void* recvbuf, int count,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const Processes processes{comm};
    const Fold fold{processes};
    const Reduction reduction{count, datatype, op};
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    const int rank = processes.rank;
    if (fold.hands_over) {
        messages::send(input, count, datatype, rank + 1, message_tag, processes.comm);
        messages::receive(recvbuf, count, datatype, rank + 1, message_tag, processes.comm);
        return MPI_SUCCESS;
    }
    const OperandBuffer received = reduction.buffer(input);
    void* result = recvbuf;
    void* incoming = received.get();
    if (input != result) local_copy(input, count, datatype, result, count, datatype, processes);
    if (fold.acts_for_two) take_over(reduction, result, incoming, processes);
    for (int mask = 1; mask < fold.survivors; mask *= 2) {
        const int partner = fold.number ^ mask;
        const int process = fold.position(partner);
        messages::exchange(result, count, datatype, process, message_tag, incoming, count, datatype,
                           process, message_tag, processes.comm);
        if (partner < fold.number)
            reduction.combine(incoming, result);
        else
            reduction.append(result, incoming);
    }
    if (result != recvbuf) local_copy(result, count, datatype, recvbuf, count, datatype, processes);
    if (fold.acts_for_two)
        messages::send(recvbuf, count, datatype, rank - 1, message_tag, processes.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
