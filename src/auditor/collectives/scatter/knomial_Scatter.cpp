// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/fixed_tree.h"
#include "collectives/gather/rooted_call.h"
#include "collectives/scatter/scatter.h"
#include "collectives/scatter/scatter_over_tree.h"

namespace mpiaudit {

int knomial_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, int radix) {
    const RootedCall call =
        scatter_call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    GatherNode node = fixed_tree(call.ranks.rank, root, call.ranks.size, radix);
    set_regular_amounts(call, node);
    return scatter_over_tree(call, node);
}

int knomial_Scatter_radix4(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return knomial_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
                           4);
}

}  // namespace mpiaudit
