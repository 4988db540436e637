// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/fixed_tree.h"
#include "collectives/gather/gather.h"
#include "collectives/gather/gather_over_tree.h"
#include "collectives/gather/rooted_call.h"

namespace mpiaudit {

int knomial_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, int radix) {
    const RootedCall call =
        gather_call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    GatherNode node = fixed_tree(call.ranks.rank, root, call.ranks.size, radix);
    set_regular_amounts(call, node);
    return gather_over_tree(call, node);
}

int knomial_Gather_radix4(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return knomial_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
                          4);
}

}  // namespace mpiaudit
