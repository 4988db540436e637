// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/input_copy.h"
#include "messages/messages.h"
#include "messages/private_communicator.h"

namespace mpiaudit {
namespace {

int direct(const AlltoallBlocks& send, const AlltoallBlocks& receive, MPI_Comm comm) {
    const MPI_Comm private_comm = private_communicator(comm);
    const AlltoallRanks ranks{comm};
    messages::Requests requests;
    requests.reserve(2 * static_cast<std::size_t>(ranks.size));
    for (int distance = 1; distance < ranks.size; ++distance) {
        const int from = ranks.shifted(-distance);
        if (receive.bytes(from) == 0) continue;
        requests.start_receive(receive.address(from), receive.count(from), receive.type(), from,
                               alltoall_tag, private_comm);
    }
    for (int distance = 1; distance < ranks.size; ++distance) {
        const int to = ranks.shifted(distance);
        if (send.bytes(to) == 0) continue;
        requests.start_send(send.address(to), send.count(to), send.type(), to, alltoall_tag,
                            private_comm);
    }
    const int own = ranks.rank;
    copy_typed(send.address(own), send.count(own), send.type(), receive.address(own),
               receive.count(own), receive.type(), own, private_comm);
    requests.wait_for_all();
    return MPI_SUCCESS;
}

}  // namespace

int direct_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(direct_Alltoall, recvbuf, recvcount, recvtype, comm);
    return direct({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, comm);
}

int direct_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                     MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                     const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(direct_Alltoallv, recvbuf, recvcounts, rdispls, recvtype, comm);
    return direct({sendbuf, sendcounts, sdispls, sendtype},
                  {recvbuf, recvcounts, rdispls, recvtype}, comm);
}

}  // namespace mpiaudit
