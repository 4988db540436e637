// SPDX-License-Identifier: BSD-3-Clause
// Declared in collectives/alltoall/alltoall.h and packed_bruck.h.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/packed_bruck.h"
#include "collectives/call/blocks.h"
#include "collectives/datatypes/layout.h"
#include "collectives/patterns/halving.h"
#include "messages/scratch.h"

namespace mpiaudit {
namespace {

/// One slot of equal length for each rank, which begins with a packed block.
class Slots {
  public:
    Slots(int slot_bytes, const Ranks& ranks, const void* near)
        : slot_bytes_{slot_bytes},
          ranks_{ranks},
          memory_{static_cast<std::size_t>(slot_bytes) * static_cast<std::size_t>(ranks.size),
                  near} {}

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
        memory_ = Scratch(static_cast<std::size_t>(bytes), near_);
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

/// Lists every element by itself (section 3.1, alternative b).
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

    // Step 1: R[rank + j] = the element that rank `rank - j` has for this rank, seen from the
    // sender.
    for (int to = 0; to < ranks.size; ++to)
        copy_locally(send.message(to), receive.message(ranks.shifted(ranks.rank - to)), ranks);

    // Step 2, Listing 2.
    PackedBuffer packed{ranks, place_between(send, receive)};
    for (int distance = 1; distance < ranks.size; distance *= 2)
        packed.exchange(receive.buffer(), type_of(ranks, distance, received).get(),
                        ranks.shifted(-distance), ranks.shifted(distance));
    return MPI_SUCCESS;
}

std::int64_t largest_block_bytes(const Blocks& send, const Ranks& ranks) {
    std::int64_t largest = 0;
    for (int rank = 0; rank < ranks.size; ++rank) largest = std::max(largest, send.bytes(rank));
    const OnControlData here;
    allreduce_by_recursive_doubling({1, MPI_INT64_T, MPI_MAX}, &largest, &largest, ranks);
    return largest;
}

int exchange_in_slots(std::int64_t slot_bytes, const Blocks& send, const Blocks& receive,
                      const Ranks& ranks) {
    if (slot_bytes > std::numeric_limits<int>::max()) return MPI_ERR_COUNT;
    if (slot_bytes == 0) return MPI_SUCCESS;
    const int bytes = static_cast<int>(slot_bytes);
    const void* const near = place_between(send, receive);
    Slots outgoing{bytes, ranks, near}, incoming{bytes, ranks, near};
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

namespace {

/// Maximum bytes of a message and of a packed piece: MPI counts them with an int.
constexpr std::int64_t piece_bytes = std::int64_t{1} << 30;

/// Calls move(elements, bytes before them, bytes) for pieces of a buffer.
template <class Move>
void in_pieces(const TypedBuffer& all, Move move) {
    const std::int64_t element_bytes = type_bytes(all.type);
    const Blocks elements = Blocks::equal(all.address, 1, all.type, all.count);
    const auto most = static_cast<int>(std::max<std::int64_t>(piece_bytes / element_bytes, 1));
    for (int first = 0; first < all.count; first += std::min(most, all.count - first)) {
        const TypedBuffer piece = elements.message(first, std::min(most, all.count - first));
        move(piece, first * element_bytes, static_cast<int>(piece.count * element_bytes));
    }
}

/// Slot i of a rank has the moving block that started i ranks before its destination: the block
/// moves by z r^x ranks in the round of digit x and value z. A rank starts with its own blocks and
/// ends with the blocks for itself.
class RadixBruck {
  public:
    RadixBruck(const Blocks& send, const Blocks& receive, const Ranks& ranks)
        : send_{send},
          receive_{receive},
          ranks_{ranks},
          near_{place_between(send, receive)},
          slots_(static_cast<std::size_t>(ranks.size)) {
        for (int i = 1; i < ranks.size; ++i) slot(i).bytes = send.bytes(ranks.shifted(i));
    }

    void run(int radix) {
        copy_locally(send_.message(ranks_.rank), receive_.message(ranks_.rank), ranks_);
        for (std::int64_t step = 1; step < ranks_.size; step *= radix)
            for (int digit = 1; digit < radix && digit * step < ranks_.size; ++digit)
                move(static_cast<int>(step), digit, radix);
    }

  private:
    /// The place of a block: first the caller's buffer, later a received message.
    struct Slot {
        std::int64_t bytes = 0;
        std::shared_ptr<const Scratch> message = {};
        std::int64_t begin = 0;
    };
    Slot& slot(int i) { return slots_[static_cast<std::size_t>(i)]; }

    std::vector<int> slots_with(int step, int digit, int radix) const {
        std::vector<int> found;
        for (int i = digit * step; i < ranks_.size; ++i)
            if (i / step % radix == digit) found.push_back(i);
        return found;
    }

    /// Does the round of one digit with value `digit`.
    void move(int step, int digit, int radix) {
        const std::vector<int> moving = slots_with(step, digit, radix);
        const int to = ranks_.shifted(digit * step);
        const int from = ranks_.shifted(-digit * step);
        const auto n = static_cast<int>(moving.size());
        std::vector<std::int64_t> sizes, arriving(moving.size());
        std::int64_t given_bytes = 0, taken_bytes = 0;
        for (const int i : moving) {
            sizes.push_back(slot(i).bytes);
            given_bytes += slot(i).bytes;
        }
        ranks_.exchange({sizes.data(), n, MPI_INT64_T}, to, {arriving.data(), n, MPI_INT64_T}, from,
                        Tag::block_sizes);
        for (const std::int64_t bytes : arriving) taken_bytes += bytes;
        const Scratch given = collected(moving, given_bytes);
        const auto taken =
            std::make_shared<const Scratch>(static_cast<std::size_t>(taken_bytes), near_);
        for (std::int64_t begin = 0; begin < std::max(given_bytes, taken_bytes);
             begin += piece_bytes) {
            const auto piece = [begin](std::int64_t bytes) {
                return static_cast<int>(std::clamp<std::int64_t>(bytes - begin, 0, piece_bytes));
            };
            // Both ranks know the number of pieces.
            ranks_.exchange({given.get() + begin, piece(given_bytes), MPI_PACKED},
                            piece(given_bytes) > 0 ? to : MPI_PROC_NULL,
                            {taken->get() + begin, piece(taken_bytes), MPI_PACKED},
                            piece(taken_bytes) > 0 ? from : MPI_PROC_NULL);
        }
        std::int64_t begin = 0;
        for (std::size_t k = 0; k < moving.size(); ++k) {
            slot(moving[k]) = {arriving[k], taken, begin};
            begin += arriving[k];
            // The highest digit is the last one: the block has arrived.
            if (moving[k] < step * radix) deliver(moving[k]);
        }
    }

    /// Copies the moving blocks to one message.
    Scratch collected(const std::vector<int>& moving, std::int64_t bytes) {
        Scratch message{static_cast<std::size_t>(bytes), near_};
        std::byte* end = message.get();
        for (const int i : moving) {
            const Slot& from = slot(i);
            if (from.bytes == 0) continue;
            if (from.message)
                messages::copy(end, from.message->get() + from.begin,
                               static_cast<std::size_t>(from.bytes));
            else
                in_pieces(send_.message(ranks_.shifted(i)),
                          [&](const TypedBuffer& piece, std::int64_t before, int piece_size) {
                              int position = 0;
                              messages::pack(piece.address, piece.count, piece.type, end + before,
                                             piece_size, &position, ranks_.comm);
                          });
            end += from.bytes;
        }
        return message;
    }

    /// Copies block i to its place in the receive buffer.
    void deliver(int i) {
        Slot& done = slot(i);
        if (done.bytes > 0)
            in_pieces(receive_.message(ranks_.shifted(-i)),
                      [&](const TypedBuffer& piece, std::int64_t before, int piece_size) {
                          int position = 0;
                          messages::unpack(done.message->get() + done.begin + before, piece_size,
                                           &position, piece.address, piece.count, piece.type,
                                           ranks_.comm);
                      });
        done.message.reset();
    }

    const Blocks& send_;
    const Blocks& receive_;
    const Ranks& ranks_;
    const void* near_;  ///< where the messages are, see Scratch
    std::vector<Slot> slots_;
};

/// Returns the smallest radix with which all distances have at most two digits.
int root_radix(int ranks) {
    int radix = 2;
    while (radix * radix < ranks) ++radix;
    return radix;
}

}  // namespace

int exchange_in_two_phases(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    RadixBruck{send, receive, ranks}.run(2);
    return MPI_SUCCESS;
}

int exchange_by_root_radix(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    RadixBruck{send, receive, ranks}.run(root_radix(ranks.size));
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
