// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/linear_tree.h"
#include "collectives/gather/rooted_call.h"
#include "collectives/scatter/scatter.h"
#include "collectives/scatter/scatter_over_tree.h"

namespace mpiaudit {

int linear_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const RootedCall call =
        scatter_call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    return scatter_over_tree(call, linear_tree(call));
}

}  // namespace mpiaudit
