// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/copying_bruck.h"
#include "collectives/alltoall/create_types_only.h"
#include "collectives/alltoall/input_copy.h"
#include "collectives/alltoall_datatypes/alltoall_datatypes.h"
#include "collectives/call/copy.h"

namespace mpiaudit {
namespace {

OwnedDatatype bounded_vector(const Ranks& ranks, int distance, MPI_Datatype element) {
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    Type_create_vector_bounded(ranks.size - distance, distance, 2 * distance, element, &blocks);
    MPI_Type_commit(&blocks);
    return OwnedDatatype{blocks};
}

}  // namespace

int basic_bruck(RoundType round_type, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    const Ranks ranks{comm};
    const AlltoallElement sent{sendcount, sendtype};
    const AlltoallElement received{recvcount, recvtype};
    if (!fits_packed(ranks.size, recvcount, recvtype)) return MPI_ERR_COUNT;

    // Step 1: R[j] is the element for rank `rank + j`.
    const int to_last = ranks.size - ranks.rank;
    send_to_oneself(sent.in(sendbuf, ranks.rank, to_last), received.in(recvbuf, 0, to_last), ranks);
    if (ranks.rank > 0)
        send_to_oneself(sent.in(sendbuf, 0, ranks.rank), received.in(recvbuf, to_last, ranks.rank),
                        ranks);

    // Step 2, Listing 1. Afterwards R[j] is the element from rank `rank - j`.
    PackedBuffer packed{ranks};
    for (int distance = 1; distance < ranks.size; distance *= 2) {
        const OwnedDatatype blocks = round_type(ranks, distance, received.type());
        packed.exchange(received.in(recvbuf, distance).address, blocks.get(),
                        ranks.shifted(distance), ranks.shifted(-distance));
    }

    // Step 3.
    packed.reverse(recvbuf, received);
    return MPI_SUCCESS;
}

int basic_bruck_types(RoundType round_type, int sendcount, MPI_Datatype sendtype, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm) {
    const Ranks ranks = Ranks::without_messages(comm);
    const AlltoallElement sent{sendcount, sendtype};
    const AlltoallElement received{recvcount, recvtype};
    for (int distance = 1; distance < ranks.size; distance *= 2)
        round_type(ranks, distance, received.type());
    return MPI_SUCCESS;
}

int basicBruck_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(basicBruck_Alltoall, recvbuf, recvcount, recvtype, comm);
    return basic_bruck(bounded_vector, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                       comm);
}

int basicBruck_Alltoall_create_types_only(const void*, int sendcount, MPI_Datatype sendtype, void*,
                                          int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return basic_bruck_types(bounded_vector, sendcount, sendtype, recvcount, recvtype, comm);
}

}  // namespace mpiaudit
