// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/input_copy.h"
#include "messages/messages.h"
#include "messages/private_communicator.h"

namespace mpiaudit {
namespace {

int pairwise(const AlltoallBlocks& send, const AlltoallBlocks& receive, MPI_Comm comm) {
    const MPI_Comm private_comm = private_communicator(comm);
    const AlltoallRanks ranks{comm};
    const int own = ranks.rank;
    copy_typed(send.address(own), send.count(own), send.type(), receive.address(own),
               receive.count(own), receive.type(), own, private_comm);
    for (int distance = 1; distance < ranks.size; ++distance) {
        const int to = ranks.shifted(distance);
        const int from = ranks.shifted(-distance);
        // Both ends know that a block has no data.
        messages::exchange(
            send.address(to), send.count(to), send.type(), send.bytes(to) > 0 ? to : MPI_PROC_NULL,
            alltoall_tag, receive.address(from), receive.count(from), receive.type(),
            receive.bytes(from) > 0 ? from : MPI_PROC_NULL, alltoall_tag, private_comm);
    }
    return MPI_SUCCESS;
}

}  // namespace

int pairwise_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(pairwise_Alltoall, recvbuf, recvcount, recvtype, comm);
    return pairwise({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, comm);
}

int pairwise_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                       const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(pairwise_Alltoallv, recvbuf, recvcounts, rdispls, recvtype, comm);
    return pairwise({sendbuf, sendcounts, sdispls, sendtype},
                    {recvbuf, recvcounts, rdispls, recvtype}, comm);
}

}  // namespace mpiaudit
