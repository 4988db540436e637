// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/distributed_ordered_tree.h"
#include "collectives/gather/rooted_call.h"
#include "collectives/scatter/scatter.h"
#include "collectives/scatter/scatter_over_tree.h"

namespace mpiaudit {

int TUW_Scatterv_kported(const void* sendbuf, const int sendcounts[], const int displs[],
                         MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                         int root, MPI_Comm comm, int ports) {
    const RootedCall call = scatterv_call(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                          recvtype, root, comm);
    const OrderedTreeOptions options{.radix = ports + 1};
    return scatter_over_tree(
        call, distributed_ordered_tree(call.own_bytes, root, call.ranks, options).node);
}

int TUW_Scatterv_k2(const void* sendbuf, const int sendcounts[], const int displs[],
                    MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm) {
    return TUW_Scatterv_kported(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                                root, comm, 2);
}

int TUW_Scatterv_k3(const void* sendbuf, const int sendcounts[], const int displs[],
                    MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm) {
    return TUW_Scatterv_kported(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                                root, comm, 3);
}

}  // namespace mpiaudit
