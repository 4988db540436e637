// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "collectives/call/bind_first.h"
#include "collectives/call/blocks.h"
#include "collectives/call/integers.h"
#include "collectives/patterns/reduction.h"

namespace mpiaudit {

/// Reduces the number of ranks, usually to a power of two: each of the first `pairs` ranks at even
/// positions hands its operands to the next rank, which acts for both (Thakur & Gropp 4.3, after
/// Rabenseifner).
struct Fold {
    Fold(const Ranks& ranks, int left, int bits_reversed = 0)
        : survivors{left},
          pairs{ranks.size - survivors},
          hands_over{ranks.position < 2 * pairs && ranks.position % 2 == 0},
          acts_for_two{ranks.position < 2 * pairs && ranks.position % 2 == 1},
          reversed{bits_reversed},
          number{
              counted(ranks.position < 2 * pairs ? ranks.position / 2 : ranks.position - pairs)} {}

    int position(int survivor) const {
        const int place = counted(survivor);
        return place < pairs ? 2 * place + 1 : place + pairs;
    }

    int survivors;
    int pairs;
    bool hands_over;
    bool acts_for_two;
    /// Number of reversed bits of the numbers: neighbours then differ in the highest bit, with
    /// which halving begins and doubling ends.
    int reversed;
    int number;  ///< this rank's number, or that of the rank it hands over to

  private:
    /// Converts a survivor's place to its number, and back.
    int counted(int survivor) const {
        return reversed > 0 ? reversed_bits(survivor, reversed) : survivor;
    }
};

/// Fold to the largest power of two. They differ in the distance of the ranks that exchange the
/// largest parts of a halved vector. far_first: half of the ranks, and the parts end in rank order.
/// near_first: neighbours, which share a node, so smaller parts cross the network.
FoldOf far_first, near_first;

/// Sends the operands and receives the result on a rank that hands over. Returns true if this rank
/// does, and then has nothing more to do.
inline bool hand_over(const Fold& fold, const TypedBuffer& operands, const TypedBuffer& result,
                      const Ranks& ranks) {
    if (!fold.hands_over) return false;
    ranks.send(operands, ranks.rank + 1);
    ranks.receive(result, ranks.rank + 1);
    return true;
}

/// Receives the preceding rank's operands into `incoming` and combines them to the left of its own
/// in `result`, on a rank that acts for two.
inline void take_over(const Reduction& reduction, void* result, void* incoming,
                      const Ranks& ranks) {
    ranks.receive(reduction.all_of(incoming), ranks.shifted(-1));
    reduction.combine(incoming, result);
}

/// Does an allreduce by algorithm(incoming), which reduces `output` among the survivors; `incoming`
/// is memory for one vector.
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

/// Recursive halving among the survivors of `fold`, one part per survivor in the order of their
/// numbers: the buffer of the parts has the operands before, and part `number` of the reduction
/// afterwards. `incoming` has the size of this buffer. Commutative operators only.
void reduce_by_halving(const Reduction& reduction, const Blocks& parts, void* incoming,
                       const Fold& fold, const Ranks& ranks);

/// A reduce-scatter among any number p of ranks in ceil(log2 p) rounds, in which a rank sends and
/// receives p-1 blocks: every round halves its places. The reversed rounds, with all messages
/// reversed, are an allgather.
struct HalvingRounds {
    /// A rank sends the `blocks` places from `given` on to the rank `distance` places further on
    /// the ring, and combines the places from `kept` on with those received from the rank
    /// `distance` places before it.
    struct Round {
        int distance;
        int given;
        int kept;
        int blocks;
    };
    /// Place i of a rank's vector has the block of the rank offsets[i] places further on.
    std::vector<int> offsets;
    int own;  ///< place of its own block, whose offset is 0
    std::vector<Round> rounds;
    /// Ranks with odd numbers count offsets and distances backwards, so that two ranks exchange in
    /// a round.
    bool is_mirrored = false;
};

/// The round with distance s gives away the blocks s, s+1, ... places further on; the distances are
/// ceil(p/2), half of this rounded up, and so on to 1 (Träff, "Optimal, non-pipelined
/// reduce-scatter and allreduce algorithms", arXiv 2410.14234).
HalvingRounds circulant_rounds(int ranks);

/// The round with distance d = 1, 2, 4, ... gives away every second remaining block: those d, 3d,
/// 5d, ... places before the rank. So neighbours exchange half of the vector, and distant ranks one
/// block. The reversed rounds are the allgather of Loch & Koslovski, "Sparbit", SBAC-PAD 2021,
/// arXiv 2109.08751.
HalvingRounds near_first_rounds(int ranks);

/// The rounds of bine_distance(), for a power of two of ranks: a rank gives away the blocks of the
/// ranks that its partner reaches in the remaining rounds (De Sensi et al., "Swing", NSDI 2024;
/// "Bine trees", SC 2025).
HalvingRounds bine_rounds(int ranks);

/// A rank's operands in the order of the places of such rounds, in separate memory.
class HalvedVector {
  public:
    /// Copies all blocks, one per survivor; INT_MAX elements at most.
    HalvedVector(const HalvingRounds& rounds, const Blocks& blocks, const Reduction& reduction,
                 const Fold& fold, const Ranks& ranks);
    /// Reduces the rank's own block over all ranks. Commutative operators only.
    void reduce_scatter();
    /// Distributes the own blocks to all ranks.
    void allgather();
    TypedBuffer own_block() const { return places(rounds_.own, 1); }
    /// Copies all blocks to their places in a buffer.
    void copy_to(const Blocks& blocks) const;

  private:
    TypedBuffer places(int first, int n) const { return blocks_.message(first, n); }
    int block_at(int place) const;
    /// Returns the rank `distance` places further on, or back if mirrored.
    int rank_at(int distance) const;
    int sign() const { return rounds_.is_mirrored && fold_.number % 2 == 1 ? -1 : 1; }
    int number_at(int distance) const;
    int opposite(int distance) const { return rounds_.is_mirrored ? distance : -distance; }
    /// Calls copy(places, blocks) for each run of blocks that are consecutive in both orders.
    template <class Copy>
    void for_each_row(const Blocks& blocks, Copy copy) const;

    const HalvingRounds& rounds_;
    const Reduction& reduction_;
    const Fold& fold_;
    const Ranks& ranks_;
    OperandBuffer memory_, incoming_;
    std::vector<std::int64_t> begins_;  ///< first elements of the places
    Blocks blocks_;                     ///< the places as blocks
};

}  // namespace mpiaudit
