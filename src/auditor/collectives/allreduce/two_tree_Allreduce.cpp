// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"
#include "collectives/bcast/bcast.h"
#include "collectives/reduce/reduce.h"
#include "messages/messages.h"

namespace mpiaudit {

// Both halves are busy with sending and receiving already, so that nothing is lost by one of them
// after the other.
int two_tree_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                       MPI_Op op, MPI_Comm comm) {
    const bool is_input = sendbuf == MPI_IN_PLACE && messages::rank_in(comm) != 0;
    two_tree_Reduce(is_input ? recvbuf : sendbuf, recvbuf, count, datatype, op, 0, comm);
    return two_tree_Bcast(recvbuf, count, datatype, 0, comm);
}

}  // namespace mpiaudit
