// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/fixed_tree.h"
#include "collectives/gather/rooted_call.h"
#include "collectives/scatter/scatter.h"
#include "collectives/scatter/scatter_over_tree.h"

namespace mpiaudit {

int knomial_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[],
                     MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                     int root, MPI_Comm comm, int radix) {
    const RootedCall call = scatterv_call(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                          recvtype, root, comm);
    GatherNode node = fixed_tree(call.ranks.rank, root, call.ranks.size, radix);
    tell_amounts(call, node);
    return scatter_over_tree(call, node);
}

int knomial_Scatterv_radix4(const void* sendbuf, const int sendcounts[], const int displs[],
                            MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return knomial_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                            root, comm, 4);
}

}  // namespace mpiaudit
