// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/packed_bruck.h"

#include <span>
#include <vector>

#include "collectives/call/copy.h"
#include "collectives/patterns/halving.h"

namespace mpiaudit {
namespace {

/// Slots of equal length, one for each rank, at whose beginning is a packed block.
class Slots {
  public:
    Slots(int slot_bytes, const Ranks& ranks)
        : slot_bytes_{slot_bytes},
          ranks_{ranks},
          memory_{static_cast<std::size_t>(slot_bytes) * static_cast<std::size_t>(ranks.size)} {}

    void pack(const Blocks& blocks) {
        for (int i = 0; i < ranks_.size; ++i) {
            int position = 0;
            mpiaudit::pack(blocks.message(i), at(i), position, ranks_);
        }
    }

    void unpack(const Blocks& blocks) {
        for (int i = 0; i < ranks_.size; ++i) {
            int position = 0;
            mpiaudit::unpack(at(i), position, blocks.message(i), ranks_);
        }
    }

    void* start() { return memory_.get(); }

  private:
    std::span<std::byte> at(int i) {
        return {memory_.get() + static_cast<std::ptrdiff_t>(i) * slot_bytes_,
                static_cast<std::size_t>(slot_bytes_)};
    }

    int slot_bytes_;
    const Ranks& ranks_;
    Scratch memory_;
};

}  // namespace

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

std::int64_t largest_block_bytes(const Blocks& send, const Ranks& ranks) {
    std::int64_t largest = 0;
    for (int rank = 0; rank < ranks.size; ++rank) largest = std::max(largest, send.bytes(rank));
    const OnSteeringData here;
    allreduce_by_recursive_doubling({1, MPI_INT64_T, MPI_MAX}, &largest, &largest, ranks);
    return largest;
}

int exchange_in_slots(std::int64_t slot_bytes, const Blocks& send, const Blocks& receive,
                      const Ranks& ranks) {
    if (slot_bytes > std::numeric_limits<int>::max()) return MPI_ERR_COUNT;
    if (slot_bytes == 0) return MPI_SUCCESS;
    const int bytes = static_cast<int>(slot_bytes);
    Slots outgoing{bytes, ranks}, incoming{bytes, ranks};
    outgoing.pack(send);
    const int code = exchange_by_modified_bruck(
        indexed_block, Blocks::equal(outgoing.start(), bytes, MPI_PACKED, ranks.size),
        Blocks::equal(incoming.start(), bytes, MPI_PACKED, ranks.size), ranks);
    if (code == MPI_SUCCESS) incoming.unpack(receive);
    return code;
}

int exchange_padded(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    return exchange_in_slots(largest_block_bytes(send, ranks), send, receive, ranks);
}

}  // namespace mpiaudit
