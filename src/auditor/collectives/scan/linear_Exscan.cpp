// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scan/scan.h"

#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

int linear_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm) {
    const Ranks ranks{comm};
    const Reduction reduction{count, datatype, op};
    const int rank = ranks.rank;
    const bool is_last = rank + 1 == ranks.size;
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    if (rank == 0) {
        if (!is_last) messages::send(input, count, datatype, 1, Tag::data, ranks.comm);
        return MPI_SUCCESS;
    }
    const OperandBuffer next = is_last ? OperandBuffer{} : reduction.buffer();
    if (!is_last) copy_to_oneself(reduction.all_of(input), reduction.all_of(next.get()), ranks);
    messages::receive(recvbuf, count, datatype, rank - 1, Tag::data, ranks.comm);
    if (is_last) return MPI_SUCCESS;
    reduction.combine(recvbuf, next.get());
    messages::send(next.get(), count, datatype, rank + 1, Tag::data, ranks.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
