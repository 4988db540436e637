// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

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

/// `count` elements from the given one down. A vector with a negative stride would say it shorter,
/// but Open MPI 4.1 takes one of -1 byte for +1.
OwnedDatatype descending(int count, const AlltoallElement& element) {
    std::vector<MPI_Aint> displacements;
    for (int i = 0; i < count; ++i) displacements.push_back(-i * element.extent());
    MPI_Datatype elements = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed_block(count, 1, displacements.data(), element.type(), &elements);
    MPI_Type_commit(&elements);
    return OwnedDatatype{elements};
}

/// Step 1, R[rank + j] = the element for rank `rank - j`, in terms of q = rank - j: the elements
/// for q = 0, 1, ... go to the places 2 rank mod p, one less, ..., 0, p - 1, ....
struct ReversingCopy {
    ReversingCopy(const Ranks& ranks, const AlltoallElement& element)
        : to_first{ranks.shifted(ranks.rank) + 1},
          to_rest{ranks.size - to_first},
          first{descending(to_first, element)},
          rest{descending(to_rest, element)} {}

    int to_first;  ///< elements that go to the places before the wrap
    int to_rest;
    OwnedDatatype first;
    OwnedDatatype rest;
};

}  // namespace

int modified_bruck(RoundType round_type, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                   void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    const Ranks ranks{comm};
    const AlltoallElement sent{sendcount, sendtype};
    const AlltoallElement received{recvcount, recvtype};
    if (!fits_packed(ranks.size / 2, recvcount, recvtype)) return MPI_ERR_COUNT;

    const ReversingCopy step{ranks, received};
    send_to_oneself(sent.in(sendbuf, 0, step.to_first),
                    {received.in(recvbuf, step.to_first - 1).address, 1, step.first.get()}, ranks);
    send_to_oneself(sent.in(sendbuf, step.to_first, step.to_rest),
                    {received.in(recvbuf, ranks.size - 1).address, 1, step.rest.get()}, ranks);

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
    const ReversingCopy step{ranks, received};
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
