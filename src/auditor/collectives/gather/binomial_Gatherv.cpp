// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/fixed_tree.h"
#include "collectives/gather/gather.h"
#include "collectives/gather/gather_over_tree.h"
#include "collectives/gather/rooted_call.h"

namespace mpiaudit {

int binomial_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                     MPI_Comm comm) {
    const RootedCall call = gatherv_call(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                         recvtype, root, comm);
    GatherNode node = fixed_tree(call.ranks.rank, root, call.ranks.size, 2);
    tell_amounts(call, node);
    return gather_over_tree(call, node);
}

}  // namespace mpiaudit
