// SPDX-License-Identifier: BSD-3-Clause
// Defines the algorithms of zero_copy.h and zero_copy_algorithms.h that copy blocks.
#include <algorithm>
#include <vector>

#include "collectives/alltoall/packed_bruck.h"
#include "collectives/call/blocks.h"
#include "zero_copy/datatypes.h"
#include "zero_copy/zero_copy_algorithms.h"

namespace mpiaudit {

RoundType bounded_vector(const Ranks& ranks, int distance, const AlltoallElement& element) {
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    const int items = element.items();
    Type_create_vector_bounded((ranks.size - distance) * items, distance * items,
                               2 * distance * items, element.type(), &blocks);
    MPI_Type_commit(&blocks);
    return RoundType{blocks};
}

/// Returns an indexed type, whose last block may be shorter (section 3.1, alternative a).
RoundType indexed(const Ranks& ranks, int distance, const AlltoallElement& element) {
    const int bound = ranks.size - distance;
    std::vector<int> lengths;
    std::vector<int> displacements;
    for (int first = 0; first < bound; first += 2 * distance) {
        lengths.push_back(std::min(distance, bound - first) * element.items());
        displacements.push_back(first * element.items());
    }
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    MPI_Type_indexed(static_cast<int>(lengths.size()), lengths.data(), displacements.data(),
                     element.type(), &blocks);
    MPI_Type_commit(&blocks);
    return RoundType{blocks};
}

RoundType circular_vector(const Ranks& ranks, int distance, const AlltoallElement& element) {
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    const int items = element.items();
    Type_create_vector_circular(ranks.size * items, ranks.shifted(distance) * items,
                                (ranks.size - distance) * items, distance * items,
                                2 * distance * items, element.type(), &blocks);
    MPI_Type_commit(&blocks);
    return RoundType{blocks};
}

int exchange_by_basic_bruck(RoundTypeOf type_of, const Blocks& send, const Blocks& receive,
                            const Ranks& ranks) {
    const AlltoallElement sent{send}, received{receive};
    if (!fits_packed(ranks.size, receive.count(0), receive.type())) return MPI_ERR_COUNT;

    // Step 1: R[j] is the element for rank `rank + j`.
    const int to_last = ranks.size - ranks.rank;
    sendrecv_self(sent.at(ranks.rank, to_last), received.at(0, to_last), ranks);
    if (ranks.rank > 0)
        sendrecv_self(sent.at(0, ranks.rank), received.at(to_last, ranks.rank), ranks);

    // Step 2, Listing 1. Afterwards R[j] is the element from rank `rank - j`.
    PackedBuffer packed{ranks, place_between(send, receive)};
    for (int distance = 1; distance < ranks.size; distance *= 2)
        packed.exchange(receive.at(distance), type_of(ranks, distance, received).get(),
                        ranks.shifted(distance), ranks.shifted(-distance));

    // Step 3.
    packed.reverse(received);
    return MPI_SUCCESS;
}

int alltoall_types_by(BlockExchange make_types, const void* sendbuf, int sendcount,
                      MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                      MPI_Comm comm) {
    const Ranks ranks = Ranks::without_messages(comm);
    return make_types(Blocks::equal(sendbuf, sendcount, sendtype, ranks.size),
                      Blocks::equal(recvbuf, recvcount, recvtype, ranks.size), ranks);
}

int alltoallv_types_by(BlockExchange make_types, const void* sendbuf, const int sendcounts[],
                       const int sdispls[], MPI_Datatype sendtype, void* recvbuf,
                       const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                       MPI_Comm comm) {
    const Ranks ranks = Ranks::without_messages(comm);
    return make_types(Blocks::irregular(sendbuf, sendcounts, sdispls, sendtype, ranks.size),
                      Blocks::irregular(recvbuf, recvcounts, rdispls, recvtype, ranks.size), ranks);
}

int make_bruck_types(RoundTypeOf type_of, const Blocks& send, const Blocks& receive,
                     const Ranks& ranks) {
    const AlltoallElement sent{send}, received{receive};
    for (int distance = 1; distance < ranks.size; distance *= 2) type_of(ranks, distance, received);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
