// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>

#include "collectives/call/ranks.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

/// Largest power of two that is at most `size`, size > 0.
inline int power_of_two_below(int size) {
    return static_cast<int>(std::bit_floor(static_cast<unsigned>(size)));
}

/// The first `bits` bits of a number in the opposite order.
inline int reversed_bits(int number, int bits) {
    int reversed = 0;
    for (int bit = 0; bit < bits; ++bit) reversed |= (number >> bit & 1) << (bits - 1 - bit);
    return reversed;
}

/// How far apart the ranks are that exchange the largest parts of a vector when it is halved.
enum class Halving {
    far_first,   ///< half of the ranks: the parts are left in the order of the ranks
    near_first,  ///< neighbours, which share a node: what crosses the network is the smaller part
};

/// Leaves a power of two of the ranks for an algorithm that needs one: each of the first `pairs`
/// ranks at even positions hands its operands to the next rank, which acts for both (Thakur & Gropp
/// 4.3, after Rabenseifner).
struct Fold {
    explicit Fold(const Ranks& ranks, Halving order = Halving::far_first)
        : survivors{power_of_two_below(ranks.size)},
          pairs{ranks.size - survivors},
          hands_over{ranks.position < 2 * pairs && ranks.position % 2 == 0},
          acts_for_two{ranks.position < 2 * pairs && ranks.position % 2 == 1},
          reversed{order == Halving::near_first
                       ? static_cast<int>(std::bit_width(static_cast<unsigned>(survivors))) - 1
                       : 0},
          number{
              counted(ranks.position < 2 * pairs ? ranks.position / 2 : ranks.position - pairs)} {}

    /// Nobody is left out, where any number of ranks will do.
    static Fold none(const Ranks& ranks) {
        Fold all{ranks};
        all.survivors = ranks.size;
        all.pairs = 0;
        all.hands_over = all.acts_for_two = false;
        all.number = ranks.position;
        return all;
    }

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

/// What a rank that acts for two does first: receives the operands of the rank before it into
/// `incoming` and puts them left of its own ones in `result`.
inline void take_over(const Reduction& reduction, void* result, void* incoming,
                      const Ranks& ranks) {
    messages::receive(incoming, reduction.count, reduction.type, ranks.shifted(-1), Tag::data,
                      ranks.comm);
    reduction.combine(incoming, result);
}

}  // namespace mpiaudit
