// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/direct_messages.h"
#include "collectives/alltoall/input_copy.h"
#include "collectives/call/copy.h"

namespace mpiaudit {
namespace {

int direct(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    messages::Requests requests;
    requests.reserve(2 * static_cast<std::size_t>(ranks.size));
    start_messages(send, receive, 1, ranks.size, ranks, requests);
    send_to_oneself(send.message(ranks.rank), receive.message(ranks.rank), ranks);
    requests.wait_for_all();
    return MPI_SUCCESS;
}

}  // namespace

int direct_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(direct_Alltoall, recvbuf, recvcount, recvtype, comm);
    const Ranks ranks{comm};
    return direct(Blocks::equal(sendbuf, sendcount, sendtype, ranks.size),
                  Blocks::equal(recvbuf, recvcount, recvtype, ranks.size), ranks);
}

int direct_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                     MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                     const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(direct_Alltoallv, recvbuf, recvcounts, rdispls, recvtype, comm);
    const Ranks ranks{comm};
    return direct(Blocks::irregular(sendbuf, sendcounts, sdispls, sendtype, ranks.size),
                  Blocks::irregular(recvbuf, recvcounts, rdispls, recvtype, ranks.size), ranks);
}

}  // namespace mpiaudit
