// SPDX-License-Identifier: BSD-3-Clause
#include <bit>
#include <utility>
#include <vector>

#include "collectives/call/copy.h"
#include "collectives/reduce_scatter/fold.h"
#include "collectives/reduce_scatter/reduce_scatter.h"
#include "collectives/reduce_scatter/reduce_scatter_by.h"

namespace mpiaudit {
namespace {

/// Where the blocks of all ranks lie while ranks at distance 1, 2, 4, ... exchange halves: those of
/// the ranks that are left, in the order of their numbers with the bits reversed, so that a rank is
/// left with its own. A rank that acts for two has both blocks.
struct ReversedOrder {
    ReversedOrder(const Blocks& blocks, const Fold& fold) : begins(blocks_of(fold) + 1) {
        const int bits = std::bit_width(static_cast<unsigned>(fold.survivors)) - 1;
        counts.resize(static_cast<std::size_t>(blocks.size()));
        displacements.resize(counts.size());
        int next = 0;
        for (int place = 0; place < fold.survivors; ++place) {
            const int survivor = reversed_bits(place, bits);
            begins[static_cast<std::size_t>(place)] = next;
            const int last = fold.position(survivor);
            for (int block = survivor < fold.pairs ? last - 1 : last; block <= last; ++block) {
                counts[static_cast<std::size_t>(block)] = blocks.count(block);
                displacements[static_cast<std::size_t>(block)] = next;
                next += blocks.count(block);
            }
        }
        begins.back() = next;
    }
    static std::size_t blocks_of(const Fold& fold) {
        return static_cast<std::size_t>(fold.survivors);
    }

    std::vector<std::int64_t> begins;        ///< of the places, in elements
    std::vector<int> counts, displacements;  ///< of the blocks
};

}  // namespace

int reduce_scatter_by_butterfly(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                const Ranks& ranks) {
    if (!fits_reduce_local(blocks)) return MPI_ERR_COUNT;
    const Fold fold{ranks};
    const int rank = ranks.rank;
    const TypedBuffer input = blocks.message(0, blocks.size());
    if (fold.hands_over) {
        messages::send(input.address, input.count, input.type, rank + 1, Tag::data, ranks.comm);
        messages::receive(recvbuf, blocks.count(rank), blocks.type(), rank + 1, Tag::data,
                          ranks.comm);
        return MPI_SUCCESS;
    }
    const Reduction reduction{input.count, input.type, op};
    const ReversedOrder order{blocks, fold};
    const OperandBuffer first = reduction.buffer(), second = reduction.buffer();
    void* result = first.get();
    void* incoming = second.get();
    const auto all_in = [&](void* buffer) {
        return Blocks::irregular(buffer, order.counts.data(), order.displacements.data(),
                                 blocks.type(), blocks.size());
    };
    copy_to_oneself(input, all_in(result).message(0, blocks.size()), ranks);
    if (fold.acts_for_two) {
        const TypedBuffer received = all_in(incoming).message(0, blocks.size());
        messages::receive(received.address, received.count, received.type, rank - 1, Tag::data,
                          ranks.comm);
        reduction.combine(incoming, result);
    }
    int kept = 0;
    for (int mask = 1; mask < fold.survivors; mask *= 2) {
        const int half = fold.survivors / (2 * mask);
        const int given = fold.number & mask ? kept : kept + half;
        if (fold.number & mask) kept += half;
        const int partner = fold.number ^ mask, other = fold.position(partner);
        const Blocks results = Blocks::consecutive(result, order.begins, blocks.type());
        const TypedBuffer sent = results.message(given, half);
        const TypedBuffer own = results.message(kept, half);
        const TypedBuffer received = results.in(incoming).message(kept, half);
        messages::exchange(sent.address, sent.count, sent.type, other, Tag::data, received.address,
                           received.count, received.type, other, Tag::data, ranks.comm);
        if (partner < fold.number) {
            reduction.combine(received.address, own);
        } else {
            reduction.combine(own.address, received);
            std::swap(result, incoming);
        }
    }
    const Blocks results = all_in(result);
    copy_to_oneself(results.message(rank), {recvbuf, blocks.count(rank), blocks.type()}, ranks);
    if (fold.acts_for_two)
        messages::send(results.at(rank - 1), results.count(rank - 1), blocks.type(), rank - 1,
                       Tag::data, ranks.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
