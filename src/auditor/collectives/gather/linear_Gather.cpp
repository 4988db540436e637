// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/gather.h"
#include "collectives/gather/gather_over_tree.h"
#include "collectives/gather/linear_tree.h"
#include "collectives/gather/rooted_call.h"

namespace mpiaudit {

int linear_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const RootedCall call =
        gather_call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    return gather_over_tree(call, linear_tree(call));
}

}  // namespace mpiaudit
