// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "collectives/call/bind_first.h"
#include "collectives/call/blocks.h"
#include "collectives/call/integers.h"
#include "collectives/patterns/reduction.h"

namespace mpiaudit {

/// Leaves fewer ranks, a power of two mostly, for an algorithm that needs such a number: each of
/// the first `pairs` ranks at even positions hands its operands to the next rank, which acts for
/// both (Thakur & Gropp 4.3, after Rabenseifner).
struct Fold {
    Fold(const Ranks& ranks, int left, int bits_reversed = 0)
        : survivors{left},
          pairs{ranks.size - survivors},
          hands_over{ranks.position < 2 * pairs && ranks.position % 2 == 0},
          acts_for_two{ranks.position < 2 * pairs && ranks.position % 2 == 1},
          reversed{bits_reversed},
          number{
              counted(ranks.position < 2 * pairs ? ranks.position / 2 : ranks.position - pairs)} {}

    /// Position of the rank that is number `survivor` of those left.
    int position(int survivor) const {
        const int place = counted(survivor);
        return place < pairs ? 2 * place + 1 : place + pairs;
    }

    int survivors;
    int pairs;
    bool hands_over;
    bool acts_for_two;
    /// How many bits of the numbers are in the opposite order: neighbours then have numbers that
    /// differ in the highest bit, with which halving begins and doubling ends.
    int reversed;
    int number;  ///< this rank's number, or that of the one it hands over to

  private:
    /// The number of a survivor from its place among them, and the other way round.
    int counted(int survivor) const {
        return reversed > 0 ? reversed_bits(survivor, reversed) : survivor;
    }
};

/// To the largest power of two. By how far apart the ranks are that exchange the largest parts of a
/// vector when it is halved: half of the ranks, and the parts are left in the order of the ranks;
/// or neighbours, which share a node, and what crosses the network is the smaller part.
FoldOf far_first, near_first;

/// What a rank that hands over does: nothing more is to be done then.
inline bool hand_over(const Fold& fold, const TypedBuffer& operands, const TypedBuffer& result,
                      const Ranks& ranks) {
    if (!fold.hands_over) return false;
    ranks.send(operands, ranks.rank + 1);
    ranks.receive(result, ranks.rank + 1);
    return true;
}

/// What a rank that acts for two does first: receives the operands of the rank before it into
/// `incoming` and puts them left of its own ones in `result`.
inline void take_over(const Reduction& reduction, void* result, void* incoming,
                      const Ranks& ranks) {
    ranks.receive(reduction.all_of(incoming), ranks.shifted(-1));
    reduction.combine(incoming, result);
}

/// An allreduce by algorithm(incoming), which reduces what is in `output` among the ranks that are
/// left; `incoming` is memory for as much.
template <class Algorithm>
void allreduce_among(const Fold& fold, const Reduction& reduction, const void* input, void* output,
                     const Ranks& ranks, const Algorithm& algorithm) {
    if (hand_over(fold, reduction.all_of(input), reduction.all_of(output), ranks)) return;
    const OperandBuffer incoming = reduction.buffer();
    reduction.move(input, output, ranks);
    if (fold.acts_for_two) take_over(reduction, output, incoming.get(), ranks);
    algorithm(incoming.get());
    if (fold.acts_for_two) ranks.send(reduction.all_of(output), ranks.rank - 1);
}

/// Ranks at distance 1, 2, 4, ... exchange and combine their results.
VectorReduction allreduce_by_recursive_doubling;

/// Recursive halving among the ranks that are left of `fold`, one part for each of these, in the
/// order of distances of their numbers: every one has its operands in the buffer of the parts;
/// afterwards part `number` of the reduction over all of them is there. `incoming` is as large as
/// that buffer. Commutative operators only.
void reduce_by_halving(const Reduction& reduction, const Blocks& parts, void* incoming,
                       const Fold& fold, const Ranks& ranks);

/// A reduce-scatter among any number p of ranks in ceil(log2 p) rounds, in which a rank sends and
/// receives p-1 blocks: every round leaves it with half of the places that it had. The same rounds
/// from the last to the first, with all messages turned round, are an allgather.
struct HalvingRounds {
    /// In a round a rank gives the `blocks` places from `given` on away, to the rank `distance`
    /// places further on the ring, and combines what the rank as far before it gives with the
    /// places from `kept` on.
    struct Round {
        int distance;
        int given;
        int kept;
        int blocks;
    };
    /// At place i of its vector a rank has the block of the rank offsets[i] places further on.
    std::vector<int> offsets;
    int own;  ///< the place of its own block, whose offset is 0
    std::vector<Round> rounds;
    /// Whether ranks with odd numbers count offsets and distances backwards, so that in a round two
    /// ranks exchange.
    bool is_mirrored = false;
};

/// The round with the distance s gives away the blocks s, s+1, ... places further on; distances
/// are ceil(p/2), a half of that, rounded up, and so on to 1 (Träff, "Optimal, non-pipelined
/// reduce-scatter and allreduce algorithms", arXiv 2410.14234).
HalvingRounds circulant_rounds(int ranks);

/// The round with the distance d = 1, 2, 4, ... gives away every second one of the blocks that are
/// left, those d, 3d, 5d, ... places before the rank. So neighbours exchange half of the vector,
/// and those that are far apart one block. Backwards it is the allgather of Loch & Koslovski,
/// "Sparbit", SBAC-PAD 2021, arXiv 2109.08751.
HalvingRounds near_first_rounds(int ranks);

/// The rounds of bine_distance(), for a power of two of ranks: in every round a rank gives away the
/// blocks of those that its partner will reach in the rounds that are left (De Sensi et al.,
/// "Swing", NSDI 2024; "Bine trees", SC 2025).
HalvingRounds bine_rounds(int ranks);

/// A rank's operands in the order of the places of such rounds, in memory of its own.
class HalvedVector {
  public:
    /// Copies all blocks. They are as many as ranks are left, and an int counts their elements.
    HalvedVector(const HalvingRounds& rounds, const Blocks& blocks, const Reduction& reduction,
                 const Fold& fold, const Ranks& ranks);
    /// Afterwards the rank's own block has the reduction of all. Commutative operators only.
    void reduce_scatter();
    /// From own blocks to all blocks everywhere.
    void allgather();
    TypedBuffer own_block() const { return places(rounds_.own, 1); }
    /// Copies all blocks to where they lie in a buffer.
    void copy_to(const Blocks& blocks) const;

  private:
    TypedBuffer places(int first, int n) const { return blocks_.message(first, n); }
    int block_at(int place) const;
    /// The rank so many places further on, as this rank counts.
    int rank_at(int distance) const;
    int sign() const { return rounds_.is_mirrored && fold_.number % 2 == 1 ? -1 : 1; }
    int number_at(int distance) const;
    int opposite(int distance) const { return rounds_.is_mirrored ? distance : -distance; }
    /// Calls copy(places, blocks) for the blocks that lie in a row in both orders.
    template <class Copy>
    void for_each_row(const Blocks& blocks, Copy copy) const;

    const HalvingRounds& rounds_;
    const Reduction& reduction_;
    const Fold& fold_;
    const Ranks& ranks_;
    OperandBuffer memory_, incoming_;
    std::vector<std::int64_t> begins_;  ///< of the places
    Blocks blocks_;                     ///< the places
};

}  // namespace mpiaudit
