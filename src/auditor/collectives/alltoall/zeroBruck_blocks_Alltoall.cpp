// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <bit>

#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/create_types_only.h"
#include "collectives/alltoall/input_copy.h"
#include "collectives/alltoall/zero_copy_bruck.h"

namespace mpiaudit {
namespace {

/// The elements that move together, `distance` of them from each odd multiple of it on, have the
/// same later hops, and all but the first of them have had hops: one run each.
ZeroCopyRound block_round(const ZeroCopyBuffers& buffers, int distance) {
    Entries send;
    Entries receive;
    for (int first = distance; first < buffers.ranks().size; first += 2 * distance) {
        const int count = std::min(distance, buffers.ranks().size - first);
        const int later_hops = std::popcount(static_cast<unsigned>(first / distance)) - 1;
        const bool is_into_receive = later_hops % 2 == 0;
        buffers.add_sent(send, first);
        if (is_into_receive) {
            buffers.add_intermediate(send, first + 1, count - 1);
            buffers.add_received(receive, first, count);
        } else {
            buffers.add_received(send, first + 1, count - 1);
            buffers.add_intermediate(receive, first, count);
        }
    }
    return zero_copy_round(send, receive);
}

}  // namespace

int zeroBruck_blocks_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                              void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(zeroBruck_blocks_Alltoall, recvbuf, recvcount, recvtype, comm);
    ZeroCopyBuffers buffers{sendbuf,   sendcount, sendtype,   recvbuf,
                            recvcount, recvtype,  Ranks{comm}};
    buffers.allocate_intermediate(buffers.ranks().size);
    return zero_copy_bruck(buffers, [&](int distance) { return block_round(buffers, distance); });
}

int zeroBruck_blocks_Alltoall_create_types_only(const void* sendbuf, int sendcount,
                                                MPI_Datatype sendtype, void* recvbuf, int recvcount,
                                                MPI_Datatype recvtype, MPI_Comm comm) {
    ZeroCopyBuffers buffers{
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, Ranks::without_messages(comm)};
    buffers.allocate_intermediate(buffers.ranks().size);
    for (int distance = 1; distance < buffers.ranks().size; distance *= 2)
        block_round(buffers, distance);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
