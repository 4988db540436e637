// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/patterns/fold.h"

namespace mpiaudit {

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
