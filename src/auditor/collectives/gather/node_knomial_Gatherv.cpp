// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/call/node_communicators.h"
#include "collectives/gather/fixed_tree.h"
#include "collectives/gather/gather.h"
#include "collectives/gather/gather_over_tree.h"
#include "collectives/gather/node_tree.h"
#include "collectives/gather/rooted_call.h"

namespace mpiaudit {

int node_knomial_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                         int root, MPI_Comm comm, int radix) {
    const RootedCall call = gatherv_call(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                         recvtype, root, comm);
    GatherNode node =
        node_tree(call.ranks.rank, root, call.ranks.size, node_split(comm).ranks_per_node, radix);
    tell_amounts(call, node);
    return gather_over_tree(call, node);
}

int node_binomial_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                          int root, MPI_Comm comm) {
    return node_knomial_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                                root, comm, 2);
}

int node_knomial_Gatherv_radix4(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                void* recvbuf, const int recvcounts[], const int displs[],
                                MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return node_knomial_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                                root, comm, 4);
}

}  // namespace mpiaudit
