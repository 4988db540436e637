// SPDX-License-Identifier: BSD-3-Clause
// Declared in collectives/reduce_scatter/reduce_scatter.h.
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "collectives/patterns/halving.h"
#include "collectives/patterns/replicate.h"
#include "collectives/reduce_scatter/reduce_scatter.h"

namespace mpiaudit {
namespace {

/// The places of all blocks while ranks at distance 1, 2, 4, ... exchange halves: survivors in the
/// order of their bit-reversed numbers, so that each rank ends with its own block. A rank that acts
/// for two has both blocks.
struct ReversedOrder {
    ReversedOrder(const Blocks& blocks, const Fold& fold) : begins(place_count(fold) + 1) {
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
    static std::size_t place_count(const Fold& fold) {
        return static_cast<std::size_t>(fold.survivors);
    }

    std::vector<std::int64_t> begins;        ///< first elements of the places
    std::vector<int> counts, displacements;  ///< of the blocks
};

/// The exchange of one level of recursive doubling. Each half of a subtree sends its reductions to
/// the other half, except for the blocks of the sending half: these need the other half's operands
/// only.
class Level {
  public:
    Level(int mask, const Ranks& ranks)
        : mask_{mask},
          tree_{ranks.rank - ranks.rank % (2 * mask)},
          upper_{std::min(mask, ranks.size - tree_ - mask)},
          is_low_{ranks.rank < tree_ + mask} {}

    bool has_two_halves() const { return upper_ > 0; }
    bool is_low() const { return is_low_; }

    void exchange(const Blocks& result, const Blocks& incoming, const Ranks& ranks) const {
        const TypedBuffer sent = sent_by(is_low_, result);
        const TypedBuffer received = sent_by(!is_low_, incoming);
        const int partner = ranks.rank ^ mask_;
        if (partner < ranks.size) ranks.exchange(sent, partner, received, partner);
        if (is_low_) pass_on_in_lower_half(received, tree_, mask_, upper_, ranks);
    }

    /// right := left op right in all blocks except those of the other half.
    void combine(const Blocks& left, const Blocks& right, const Reduction& reduction) const {
        const int skipped = is_low_ ? tree_ + mask_ : tree_;
        const int resumed = skipped + (is_low_ ? upper_ : mask_);
        reduction.combine(left.at(0), right.message(0, skipped));
        reduction.combine(left.at(resumed), right.message(resumed, right.size() - resumed));
    }

  private:
    /// Returns the blocks that one half sends: all except its own.
    TypedBuffer sent_by(bool is_low, const Blocks& blocks) const {
        const int middle = tree_ + mask_;
        return is_low ? blocks.message(middle, blocks.size() - mask_)
                      : blocks.message(middle + upper_, blocks.size() - upper_);
    }

    int mask_;
    int tree_;
    int upper_;  ///< ranks in the upper half
    bool is_low_;
};

}  // namespace

int reduce_scatter_by_butterfly(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                const Ranks& ranks) {
    if (!total_fits_int(blocks)) return MPI_ERR_COUNT;
    const Fold fold = far_first(ranks);
    const int rank = ranks.rank;
    const TypedBuffer input = blocks.message(0, blocks.size());
    if (hand_over(fold, input, {recvbuf, blocks.count(rank), blocks.type()}, ranks))
        return MPI_SUCCESS;
    const Reduction reduction{input.count, input.type, op};
    const ReversedOrder order{blocks, fold};
    const OperandBuffer first = reduction.buffer(), second = reduction.buffer();
    void* result = first.get();
    void* incoming = second.get();
    const auto all_in = [&](void* buffer) {
        return Blocks::irregular(buffer, order.counts.data(), order.displacements.data(),
                                 blocks.type(), blocks.size());
    };
    copy_locally(input, all_in(result).message(0, blocks.size()), ranks);
    if (fold.acts_for_two) {
        const TypedBuffer received = all_in(incoming).message(0, blocks.size());
        ranks.receive(received, rank - 1);
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
        const TypedBuffer received = results.with_buffer(incoming).message(kept, half);
        ranks.exchange(sent, other, received, other);
        if (partner < fold.number) {
            reduction.combine(received.address, own);
        } else {
            reduction.combine(own.address, received);
            std::swap(result, incoming);
        }
    }
    const Blocks results = all_in(result);
    copy_locally(results.message(rank), {recvbuf, blocks.count(rank), blocks.type()}, ranks);
    if (fold.acts_for_two) ranks.send(results.message(rank - 1), rank - 1);
    return MPI_SUCCESS;
}

int reduce_scatter_by_recursive_doubling(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                         const Ranks& ranks) {
    if (!total_fits_int(blocks)) return MPI_ERR_COUNT;
    const TypedBuffer input = blocks.message(0, blocks.size());
    const Reduction reduction{input.count, input.type, op};
    const OperandBuffer own = reduction.buffer();
    const OperandBuffer received = reduction.buffer();
    Blocks result = blocks.with_buffer(own.get());
    Blocks incoming = blocks.with_buffer(received.get());
    copy_locally(input, reduction.all_of(own.get()), ranks);
    for (int mask = 1; mask < ranks.size; mask *= 2) {
        const Level level{mask, ranks};
        if (!level.has_two_halves()) continue;
        level.exchange(result, incoming, ranks);
        if (level.is_low()) {
            level.combine(result, incoming, reduction);
            std::swap(result, incoming);
        } else {
            level.combine(incoming, result, reduction);
        }
    }
    copy_locally(result.message(ranks.rank), {recvbuf, blocks.count(ranks.rank), blocks.type()},
                 ranks);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
