// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>

#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/create_types_only.h"
#include "collectives/alltoall/input_copy.h"
#include "collectives/alltoall/irregular_bruck.h"

namespace mpiaudit {

int zeroBruckV_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                         MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                         const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(zeroBruckV_Alltoallv, recvbuf, recvcounts, rdispls, recvtype,
                                 comm);
    const Ranks ranks{comm};
    const Blocks send = Blocks::irregular(sendbuf, sendcounts, sdispls, sendtype, ranks.size);
    const Blocks receive = Blocks::irregular(recvbuf, recvcounts, rdispls, recvtype, ranks.size);
    const std::int64_t bucket_bytes = largest_block_bytes(send, ranks);
    if (bucket_bytes == 0) return MPI_SUCCESS;
    if (bucket_bytes > std::numeric_limits<int>::max()) return MPI_ERR_COUNT;

    IrregularBruck blocks{send, receive, ranks, static_cast<int>(bucket_bytes)};
    for (int distance = 1; distance < ranks.size; distance *= 2) {
        blocks.exchange_sizes(distance);
        exchange_round(blocks.next_round(distance), distance, ranks);
    }
    blocks.copy_own();
    return MPI_SUCCESS;
}

int zeroBruckV_Alltoallv_create_types_only(const void* sendbuf, const int sendcounts[],
                                           const int sdispls[], MPI_Datatype sendtype,
                                           void* recvbuf, const int recvcounts[],
                                           const int rdispls[], MPI_Datatype recvtype,
                                           MPI_Comm comm) {
    const Ranks ranks = Ranks::without_messages(comm);
    const Blocks send = Blocks::irregular(sendbuf, sendcounts, sdispls, sendtype, ranks.size);
    const Blocks receive = Blocks::irregular(recvbuf, recvcounts, rdispls, recvtype, ranks.size);
    std::int64_t bucket_bytes = 0;
    for (int rank = 0; rank < ranks.size; ++rank)
        bucket_bytes = std::max(bucket_bytes, send.bytes(rank));
    if (bucket_bytes > std::numeric_limits<int>::max()) return MPI_ERR_COUNT;

    IrregularBruck blocks{send, receive, ranks, static_cast<int>(bucket_bytes)};
    for (int distance = 1; distance < ranks.size; distance *= 2) {
        blocks.assume_equal_sizes(distance);
        blocks.next_round(distance);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
