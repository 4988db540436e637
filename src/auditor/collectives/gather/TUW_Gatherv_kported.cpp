// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/distributed_ordered_tree.h"
#include "collectives/gather/gather.h"
#include "collectives/gather/gather_over_tree.h"
#include "collectives/gather/rooted_call.h"

namespace mpiaudit {

int TUW_Gatherv_kported(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                        MPI_Comm comm, int ports) {
    const RootedCall call = gatherv_call(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                         recvtype, root, comm);
    const OrderedTreeOptions options{.radix = ports + 1};
    return gather_over_tree(
        call, distributed_ordered_tree(call.own_bytes, root, call.ranks, options).node);
}

int TUW_Gatherv_k2(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                   MPI_Comm comm) {
    return TUW_Gatherv_kported(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               root, comm, 2);
}

int TUW_Gatherv_k3(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                   MPI_Comm comm) {
    return TUW_Gatherv_kported(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               root, comm, 3);
}

}  // namespace mpiaudit
