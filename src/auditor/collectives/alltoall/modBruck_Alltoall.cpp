// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/copying_bruck.h"
#include "collectives/alltoall/create_types_only.h"
#include "collectives/alltoall/input_copy.h"
#include "collectives/alltoall_datatypes/alltoall_datatypes.h"
#include "collectives/call/copy.h"

namespace mpiaudit {
namespace {

OwnedDatatype circular_vector(const Ranks& ranks, int distance, MPI_Datatype element) {
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    Type_create_vector_circular(ranks.size, ranks.shifted(distance), ranks.size - distance,
                                distance, 2 * distance, element, &blocks);
    MPI_Type_commit(&blocks);
    return OwnedDatatype{blocks};
}

}  // namespace

int modified_bruck(RoundType round_type, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                   void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    const Ranks ranks{comm};
    const AlltoallElement sent{sendcount, sendtype};
    const AlltoallElement received{recvcount, recvtype};
    if (!fits_packed(ranks.size / 2, recvcount, recvtype)) return MPI_ERR_COUNT;

    // Step 1, R[rank + j] = the element for rank `rank - j`, in terms of that rank.
    for (int to = 0; to < ranks.size; ++to)
        copy_to_oneself(
            {sent.in(sendbuf, to).address, sendcount, sendtype},
            {received.in(recvbuf, ranks.shifted(ranks.rank - to)).address, recvcount, recvtype},
            ranks);

    // Step 2, Listing 2.
    PackedBuffer packed{ranks};
    for (int distance = 1; distance < ranks.size; distance *= 2) {
        const OwnedDatatype blocks = round_type(ranks, distance, received.type());
        packed.exchange(recvbuf, blocks.get(), ranks.shifted(-distance), ranks.shifted(distance));
    }
    return MPI_SUCCESS;
}

int modified_bruck_types(RoundType round_type, int sendcount, MPI_Datatype sendtype, int recvcount,
                         MPI_Datatype recvtype, MPI_Comm comm) {
    const Ranks ranks = Ranks::without_messages(comm);
    const AlltoallElement sent{sendcount, sendtype};
    const AlltoallElement received{recvcount, recvtype};
    for (int distance = 1; distance < ranks.size; distance *= 2)
        round_type(ranks, distance, received.type());
    return MPI_SUCCESS;
}

int modBruck_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    if (sendbuf == MPI_IN_PLACE)
        return with_input_copied(modBruck_Alltoall, recvbuf, recvcount, recvtype, comm);
    return modified_bruck(circular_vector, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                          recvtype, comm);
}

int modBruck_Alltoall_create_types_only(const void*, int sendcount, MPI_Datatype sendtype, void*,
                                        int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return modified_bruck_types(circular_vector, sendcount, sendtype, recvcount, recvtype, comm);
}

}  // namespace mpiaudit
