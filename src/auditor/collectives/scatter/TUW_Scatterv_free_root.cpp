// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"
#include "collectives/datatypes/layout.h"
#include "collectives/gather/distributed_ordered_tree.h"
#include "collectives/gather/rooted_call.h"
#include "collectives/scatter/scatter.h"
#include "collectives/scatter/scatter_over_tree.h"

namespace mpiaudit {

int TUW_Scatterv_free_root(const void* sendbuf, const int sendcounts[], const int displs[],
                           MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, int* root, MPI_Comm comm) {
    const Ranks ranks{comm};
    const auto [node, cube] =
        distributed_ordered_tree(recvcount * type_bytes(recvtype), no_given_root, ranks);
    // The fixed root of all ranks, the last rank, knows the gather root of all.
    *root = cube.gather_root;
    binomial_Bcast(root, 1, MPI_INT, ranks.size - 1, comm);
    const RootedCall call = scatterv_call(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                                          recvtype, *root, comm);
    return scatter_over_tree(call, node);
}

}  // namespace mpiaudit
