// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"

#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce_scatter/fold.h"

namespace mpiaudit {

int recursive_doubling_Allreduce(const void* sendbuf, void* recvbuf, int count,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const Ranks ranks{comm};
    const Fold fold{ranks};
    const Reduction reduction{count, datatype, op};
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    const int rank = ranks.rank;
    if (fold.hands_over) {
        MPI_Send(input, count, datatype, rank + 1, Tag::data, ranks.comm);
        MPI_Recv(recvbuf, count, datatype, rank + 1, Tag::data, ranks.comm, MPI_STATUS_IGNORE);
        return MPI_SUCCESS;
    }
    const OperandBuffer received = reduction.buffer();
    void* result = recvbuf;
    void* incoming = received.get();
    if (input != result) copy_to_oneself(reduction.all_of(input), reduction.all_of(result), ranks);
    if (fold.acts_for_two) take_over(reduction, result, incoming, ranks);
    for (int mask = 1; mask < fold.survivors; mask *= 2) {
        const int partner = fold.number ^ mask;
        const int other = fold.position(partner);
        MPI_Sendrecv(result, count, datatype, other, Tag::data, incoming, count, datatype, other,
                     Tag::data, ranks.comm, MPI_STATUS_IGNORE);
        if (partner < fold.number)
            reduction.combine(incoming, result);
        else
            reduction.append(result, incoming);
    }
    if (result != recvbuf)
        copy_to_oneself(reduction.all_of(result), reduction.all_of(recvbuf), ranks);
    if (fold.acts_for_two) MPI_Send(recvbuf, count, datatype, rank - 1, Tag::data, ranks.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
