// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/input_copy.h"
#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

int pairwise(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    send_to_oneself(send.message(ranks.rank), receive.message(ranks.rank), ranks);
    for (int distance = 1; distance < ranks.size; ++distance) {
        const int to = ranks.shifted(distance);
        const int from = ranks.shifted(-distance);
        // Both ends know that a block has no data.
        messages::exchange(send.at(to), send.count(to), send.type(),
                           send.bytes(to) > 0 ? to : MPI_PROC_NULL, Tag::data, receive.at(from),
                           receive.count(from), receive.type(),
                           receive.bytes(from) > 0 ? from : MPI_PROC_NULL, Tag::data, ranks.comm);
    }
    return MPI_SUCCESS;
}

}  // namespace

int pairwise_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(pairwise_Alltoall, recvbuf, recvcount, recvtype, comm);
    const Ranks ranks{comm};
    return pairwise(Blocks::equal(sendbuf, sendcount, sendtype, ranks.size),
                    Blocks::equal(recvbuf, recvcount, recvtype, ranks.size), ranks);
}

int pairwise_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                       const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(pairwise_Alltoallv, recvbuf, recvcounts, rdispls, recvtype, comm);
    const Ranks ranks{comm};
    return pairwise(Blocks::irregular(sendbuf, sendcounts, sdispls, sendtype, ranks.size),
                    Blocks::irregular(recvbuf, recvcounts, rdispls, recvtype, ranks.size), ranks);
}

}  // namespace mpiaudit
