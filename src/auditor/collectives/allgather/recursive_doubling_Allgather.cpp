// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include <algorithm>

#include "collectives/allgather/replicate.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

void pass_on_in_lower_half(const TypedBuffer& upper_half, int tree, int mask, int upper,
                           const Ranks& ranks) {
    for (int distance = mask / 2; 2 * distance > upper; distance /= 2) {
        const int place = (ranks.position - tree) % (2 * distance);
        const int source = place - distance;
        if (place < std::min(upper, distance) && place + distance >= upper) {
            messages::send(upper_half.address, upper_half.count, upper_half.type,
                           ranks.shifted(distance), Tag::data, ranks.comm);
        } else if (place >= upper && source >= 0 && source < upper) {
            messages::receive(upper_half.address, upper_half.count, upper_half.type,
                              ranks.shifted(-distance), Tag::data, ranks.comm);
        }
    }
}

// The general case after Thakur & Gropp, section 4.1: whenever a subtree of 2 mask ranks is not
// complete, its lower half gets what it would have got had the subtree been complete.
void replicate_by_recursive_doubling(const Blocks& blocks, const Ranks& ranks) {
    for (int mask = 1; mask < ranks.size; mask *= 2) {
        const int tree = ranks.position - ranks.position % (2 * mask);
        const int upper = std::min(mask, ranks.size - tree - mask);
        if (upper <= 0) continue;
        const TypedBuffer low = blocks.message(tree, mask);
        const TypedBuffer high = blocks.message(tree + mask, upper);
        const bool is_low = ranks.position < tree + mask;
        const int partner = ranks.position ^ mask;
        const TypedBuffer& sent = is_low ? low : high;
        const TypedBuffer& received = is_low ? high : low;
        if (partner < ranks.size)
            messages::exchange(sent.address, sent.count, sent.type, ranks.at(partner), Tag::data,
                               received.address, received.count, received.type, ranks.at(partner),
                               Tag::data, ranks.comm);
        if (is_low) pass_on_in_lower_half(high, tree, mask, upper, ranks);
    }
}

}  // namespace mpiaudit
