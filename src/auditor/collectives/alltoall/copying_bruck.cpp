// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <vector>

#include "collectives/alltoall/alltoall_element.h"
#include "collectives/alltoall/create_types_only.h"
#include "collectives/alltoall_datatypes/alltoall_datatypes.h"
#include "collectives/call/copy.h"
#include "collectives/datatypes/layout.h"
#include "messages/scratch.h"

namespace mpiaudit {
namespace {

/// Whether MPI_Pack and MPI_Unpack, which count bytes with an int, can handle that many elements of
/// `count` items. The same on all ranks, whose elements have equal signatures.
bool fits_packed(int elements, int count, MPI_Datatype type) {
    return type_bytes(type) * count <= std::numeric_limits<int>::max() / std::max(elements, 1);
}

/// The intermediate buffer of these algorithms. What it holds is MPI_PACKED: a packed sequence may
/// be received from any type, without knowing the signature of the elements (section 3.1).
class PackedBuffer {
  public:
    explicit PackedBuffer(const Ranks& ranks) : ranks_{ranks} {}
    /// Sends `blocks`, which starts at `buffer`, to rank `to` and replaces it by what rank `from`
    /// sends likewise: receives packed, then unpacks.
    void exchange(void* buffer, MPI_Datatype blocks, int to, int from);
    /// Moves element j, one for every rank, to (this rank - j) mod p.
    void reverse(const AlltoallElement& element);

  private:
    /// Bytes that `count` items need packed; makes room for them.
    int reserve(int count, MPI_Datatype type);

    Ranks ranks_;
    Scratch memory_;
    int capacity_bytes_ = -1;  ///< MPI_Unpack wants memory for an empty sequence too.
};

int PackedBuffer::reserve(int count, MPI_Datatype type) {
    int bytes = 0;
    MPI_Pack_size(count, type, ranks_.comm, &bytes);
    if (bytes > capacity_bytes_) {
        memory_ = Scratch(static_cast<std::size_t>(bytes));
        capacity_bytes_ = bytes;
    }
    return bytes;
}

void PackedBuffer::exchange(void* buffer, MPI_Datatype blocks, int to, int from) {
    const int bytes = reserve(1, blocks);
    ranks_.exchange({buffer, 1, blocks}, to, {memory_.get(), bytes, MPI_PACKED}, from);
    int position = 0;
    messages::unpack(memory_.get(), bytes, &position, buffer, 1, blocks, ranks_.comm);
}

void PackedBuffer::reverse(const AlltoallElement& element) {
    const TypedBuffer all = element.at(0, ranks_.size);
    const int bytes = reserve(all.count, all.type);
    int packed_bytes = 0;
    messages::pack(all.address, all.count, all.type, memory_.get(), bytes, &packed_bytes,
                   ranks_.comm);
    int position = 0;
    for (int j = 0; j < ranks_.size; ++j) {
        const TypedBuffer one = element.at(ranks_.shifted(-j));
        messages::unpack(memory_.get(), packed_bytes, &position, one.address, one.count, one.type,
                         ranks_.comm);
    }
}

}  // namespace

RoundType bounded_vector(const Ranks& ranks, int distance, const AlltoallElement& element) {
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    const int items = element.items();
    Type_create_vector_bounded((ranks.size - distance) * items, distance * items,
                               2 * distance * items, element.type(), &blocks);
    MPI_Type_commit(&blocks);
    return RoundType{blocks};
}

/// Section 3.1, alternative a: an indexed type, the last block of which may be shorter.
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

/// Every element listed by itself (section 3.1, alternative b).
RoundType indexed_block(const Ranks& ranks, int distance, const AlltoallElement& element) {
    std::vector<int> displacements;
    for (int j = distance; j < ranks.size; ++j)
        if (j & distance) displacements.push_back(ranks.shifted(j) * element.items());
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    MPI_Type_create_indexed_block(static_cast<int>(displacements.size()), element.items(),
                                  displacements.data(), element.type(), &blocks);
    MPI_Type_commit(&blocks);
    return RoundType{blocks};
}

int exchange_by_basic_bruck(RoundTypeOf type_of, const Blocks& send, const Blocks& receive,
                            const Ranks& ranks) {
    const AlltoallElement sent{send}, received{receive};
    if (!fits_packed(ranks.size, receive.count(0), receive.type())) return MPI_ERR_COUNT;

    // Step 1: R[j] is the element for rank `rank + j`.
    const int to_last = ranks.size - ranks.rank;
    send_to_oneself(sent.at(ranks.rank, to_last), received.at(0, to_last), ranks);
    if (ranks.rank > 0)
        send_to_oneself(sent.at(0, ranks.rank), received.at(to_last, ranks.rank), ranks);

    // Step 2, Listing 1. Afterwards R[j] is the element from rank `rank - j`.
    PackedBuffer packed{ranks};
    for (int distance = 1; distance < ranks.size; distance *= 2)
        packed.exchange(receive.at(distance), type_of(ranks, distance, received).get(),
                        ranks.shifted(distance), ranks.shifted(-distance));

    // Step 3.
    packed.reverse(received);
    return MPI_SUCCESS;
}

int exchange_by_modified_bruck(RoundTypeOf type_of, const Blocks& send, const Blocks& receive,
                               const Ranks& ranks) {
    const AlltoallElement sent{send}, received{receive};
    if (!fits_packed(ranks.size / 2, receive.count(0), receive.type())) return MPI_ERR_COUNT;

    // Step 1, R[rank + j] = the element for rank `rank - j`, in terms of that rank.
    for (int to = 0; to < ranks.size; ++to)
        copy_to_oneself(send.message(to), receive.message(ranks.shifted(ranks.rank - to)), ranks);

    // Step 2, Listing 2.
    PackedBuffer packed{ranks};
    for (int distance = 1; distance < ranks.size; distance *= 2)
        packed.exchange(receive.buffer(), type_of(ranks, distance, received).get(),
                        ranks.shifted(-distance), ranks.shifted(distance));
    return MPI_SUCCESS;
}

int make_bruck_types(RoundTypeOf type_of, const Blocks& send, const Blocks& receive,
                     const Ranks& ranks) {
    const AlltoallElement sent{send}, received{receive};
    for (int distance = 1; distance < ranks.size; distance *= 2) type_of(ranks, distance, received);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
