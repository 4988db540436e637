// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/call/blocks.h"
#include "collectives/call/by.h"
#include "collectives/call/copy.h"
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

}  // namespace mpiaudit
