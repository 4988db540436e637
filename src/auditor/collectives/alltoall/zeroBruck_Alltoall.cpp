// SPDX-License-Identifier: BSD-3-Clause
#include <bit>

#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/create_types_only.h"
#include "collectives/alltoall/input_copy.h"
#include "collectives/alltoall/zero_copy_bruck.h"

namespace mpiaudit {

// Section 3.3. An element alternates between R and the intermediate buffer such that its last hop
// ends in R; before its first hop it stands in the send buffer.
ZeroCopyRound single_block_round(const ZeroCopyBuffers& buffers, int distance) {
    Entries send;
    Entries receive;
    for (int j = distance; j < buffers.ranks().size; ++j) {
        if (!(j & distance)) continue;
        const int later_hops = std::popcount(static_cast<unsigned>(j / distance)) - 1;
        const bool is_first_hop = j % distance == 0;
        const bool is_into_receive = later_hops % 2 == 0;
        if (is_first_hop)
            buffers.add_sent(send, j);
        else if (is_into_receive)
            buffers.add_intermediate(send, j, 1);
        else
            buffers.add_received(send, j, 1);
        if (is_into_receive)
            buffers.add_received(receive, j, 1);
        else
            buffers.add_intermediate(receive, j, 1);
    }
    return zero_copy_round(send, receive);
}

int zeroBruck_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(zeroBruck_Alltoall, recvbuf, recvcount, recvtype, comm);
    ZeroCopyBuffers buffers{sendbuf,   sendcount, sendtype,   recvbuf,
                            recvcount, recvtype,  Ranks{comm}};
    buffers.allocate_intermediate(buffers.ranks().size);
    return zero_copy_bruck(buffers,
                           [&](int distance) { return single_block_round(buffers, distance); });
}

int zeroBruck_Alltoall_create_types_only(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                         void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                         MPI_Comm comm) {
    ZeroCopyBuffers buffers{
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, Ranks::without_messages(comm)};
    buffers.allocate_intermediate(buffers.ranks().size);
    for (int distance = 1; distance < buffers.ranks().size; distance *= 2)
        single_block_round(buffers, distance);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
