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

/// Leaves a power of two of the ranks for an algorithm that needs one: each of the first `pairs`
/// ranks at even positions hands its operands to the next rank, which acts for both (Thakur & Gropp
/// 4.3, after Rabenseifner).
struct Fold {
    explicit Fold(const Ranks& ranks)
        : survivors{power_of_two_below(ranks.size)},
          pairs{ranks.size - survivors},
          hands_over{ranks.position < 2 * pairs && ranks.position % 2 == 0},
          acts_for_two{ranks.position < 2 * pairs && ranks.position % 2 == 1},
          number{ranks.position < 2 * pairs ? ranks.position / 2 : ranks.position - pairs} {}

    /// Position of the rank that is number `survivor` of those left.
    int position(int survivor) const {
        return survivor < pairs ? 2 * survivor + 1 : survivor + pairs;
    }

    int survivors;
    int pairs;
    bool hands_over;
    bool acts_for_two;
    int number;  ///< this rank's number, or that of the one it hands over to
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
