// SPDX-License-Identifier: BSD-3-Clause
#include <bit>

#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/create_types_only.h"
#include "collectives/alltoall/half_buffer.h"
#include "collectives/alltoall/input_copy.h"
#include "collectives/alltoall/zero_copy_bruck.h"

namespace mpiaudit {
namespace {

void add_place(const ZeroCopyBuffers& buffers, Entries& entries, int place) {
    const int ranks = buffers.ranks().size;
    if (place < ranks)
        buffers.add_received(entries, place, 1);
    else
        buffers.add_intermediate(entries, place - ranks, 1);
}

ZeroCopyRound half_buffer_round(const ZeroCopyBuffers& buffers, const HalfBuffer& plan,
                                int distance) {
    const int k = std::countr_zero(static_cast<unsigned>(distance));
    Entries send;
    Entries receive;
    for (int j = distance; j < buffers.ranks().size; ++j) {
        if (!(j & distance)) continue;
        if (j % distance == 0)
            buffers.add_sent(send, j);
        else
            add_place(buffers, send, plan.departure(k, j));
        add_place(buffers, receive, plan.arrival(k, j));
    }
    return zero_copy_round(send, receive);
}

}  // namespace

int zeroBruck_half_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(zeroBruck_half_Alltoall, recvbuf, recvcount, recvtype, comm);
    ZeroCopyBuffers buffers{sendbuf,   sendcount, sendtype,   recvbuf,
                            recvcount, recvtype,  Ranks{comm}};
    const HalfBuffer plan{buffers.ranks().size};
    buffers.allocate_intermediate(plan.intermediate_elements());
    return zero_copy_bruck(
        buffers, [&](int distance) { return half_buffer_round(buffers, plan, distance); });
}

int zeroBruck_half_Alltoall_create_types_only(const void* sendbuf, int sendcount,
                                              MPI_Datatype sendtype, void* recvbuf, int recvcount,
                                              MPI_Datatype recvtype, MPI_Comm comm) {
    ZeroCopyBuffers buffers{
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, Ranks::without_messages(comm)};
    const HalfBuffer plan{buffers.ranks().size};
    buffers.allocate_intermediate(plan.intermediate_elements());
    for (int distance = 1; distance < buffers.ranks().size; distance *= 2)
        half_buffer_round(buffers, plan, distance);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
