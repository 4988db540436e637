// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/direct_messages.h"
#include "collectives/alltoall/input_copy.h"
#include "collectives/call/copy.h"

namespace mpiaudit {
namespace {

/// Messages of a window, in each direction, as many as MPICH lets be under way.
constexpr int window = 32;

int in_windows(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    send_to_oneself(send.message(ranks.rank), receive.message(ranks.rank), ranks);
    for (int first = 1; first < ranks.size; first += window) {
        const int end = std::min(first + window, ranks.size);
        messages::Requests requests;
        requests.reserve(2 * window);
        start_messages(send, receive, first, end, ranks, requests);
        requests.wait_for_all();
    }
    return MPI_SUCCESS;
}

}  // namespace

int windowed_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(windowed_Alltoall, recvbuf, recvcount, recvtype, comm);
    const Ranks ranks{comm};
    return in_windows(Blocks::equal(sendbuf, sendcount, sendtype, ranks.size),
                      Blocks::equal(recvbuf, recvcount, recvtype, ranks.size), ranks);
}

int windowed_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                       const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(windowed_Alltoallv, recvbuf, recvcounts, rdispls, recvtype, comm);
    const Ranks ranks{comm};
    return in_windows(Blocks::irregular(sendbuf, sendcounts, sdispls, sendtype, ranks.size),
                      Blocks::irregular(recvbuf, recvcounts, rdispls, recvtype, ranks.size), ranks);
}

}  // namespace mpiaudit
