// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"
#include "collectives/datatypes/layout.h"
#include "collectives/gather/distributed_ordered_tree.h"
#include "collectives/gather/gather.h"
#include "collectives/gather/gather_over_tree.h"
#include "collectives/gather/rooted_call.h"

namespace mpiaudit {

int TUW_Gatherv_free_root(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                          int* root, MPI_Comm comm) {
    const Ranks ranks{comm};
    const auto [node, cube] =
        distributed_ordered_tree(sendcount * type_bytes(sendtype), no_given_root, ranks);
    // The fixed root of all ranks, the last rank, knows the gather root of all.
    *root = cube.gather_root;
    binomial_Bcast(root, 1, MPI_INT, ranks.size - 1, comm);
    const RootedCall call = gatherv_call(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                         recvtype, *root, comm);
    return gather_over_tree(call, node);
}

}  // namespace mpiaudit
