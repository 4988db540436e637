// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"

#include "collectives/bcast/broadcast.h"
#include "collectives/reduce/reduction.h"

namespace mpiaudit {

int reduce_bcast_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm) {
    const Ranks ranks{comm};
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    reduce_by_binomial_tree(Reduction{count, datatype, op}, input, recvbuf, ranks);
    broadcast_by_binomial_tree({recvbuf, count, datatype}, ranks);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
