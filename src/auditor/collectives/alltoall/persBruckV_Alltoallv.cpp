// SPDX-License-Identifier: BSD-3-Clause
#include <limits>

#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/irregular_bruck.h"
#include "collectives/alltoall/persistent_alltoall.h"

namespace mpiaudit {

int persBruckV_Alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                              MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                              const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                              PersistentAlltoall** handle) {
    const Ranks ranks{comm};
    auto persistent = std::make_unique<PersistentAlltoall>();
    const Blocks receive = Blocks::irregular(recvbuf, recvcounts, rdispls, recvtype, ranks.size);
    const void* input = persistent->bind_input(sendbuf, recvbuf, receive, ranks);
    const Blocks send = sendbuf == MPI_IN_PLACE
                            ? receive.in(input)
                            : Blocks::irregular(input, sendcounts, sdispls, sendtype, ranks.size);
    const std::int64_t bucket_bytes = largest_block_bytes(send, ranks);
    if (bucket_bytes > std::numeric_limits<int>::max()) return MPI_ERR_COUNT;

    persistent->add_own(send, receive, ranks);
    IrregularBruck blocks{send, receive, ranks, static_cast<int>(bucket_bytes)};
    // Nothing to do per use if no rank has data.
    for (int distance = 1; bucket_bytes > 0 && distance < ranks.size; distance *= 2) {
        blocks.exchange_sizes(distance);
        persistent->add_round(blocks.next_round(distance), distance, ranks);
    }
    persistent->intermediate = blocks.release_buckets();
    *handle = persistent.release();
    return MPI_SUCCESS;
}

int persBruckV_Alltoallv_start(PersistentAlltoall* handle) {
    return handle->start();
}

int persBruckV_Alltoallv_wait(PersistentAlltoall* handle) {
    return handle->wait();
}

int persBruckV_Alltoallv_free(PersistentAlltoall** handle) {
    return persBruck_Alltoall_free(handle);
}

}  // namespace mpiaudit
