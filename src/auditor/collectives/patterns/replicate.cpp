// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/patterns/replicate.h"

#include <algorithm>

namespace mpiaudit {

void replicate_by_ring(const Blocks& blocks, const Ranks& ranks) {
    const int size = ranks.size;
    const int right = ranks.shifted(1);
    const int left = ranks.shifted(-1);
    for (int step = 1; step < size; ++step) {
        const int sent = (ranks.position - step + 1 + size) % size;
        const int received = (ranks.position - step + size) % size;
        ranks.exchange(blocks.message(sent), right, blocks.message(received), left);
    }
}

void pass_on_in_lower_half(const TypedBuffer& upper_half, int tree, int mask, int upper,
                           const Ranks& ranks) {
    for (int distance = mask / 2; 2 * distance > upper; distance /= 2) {
        const int place = (ranks.position - tree) % (2 * distance);
        const int source = place - distance;
        if (place < std::min(upper, distance) && place + distance >= upper) {
            ranks.send(upper_half, ranks.shifted(distance));
        } else if (place >= upper && source >= 0 && source < upper) {
            ranks.receive(upper_half, ranks.shifted(-distance));
        }
    }
}

// Handles any number of ranks after Thakur & Gropp, section 4.1: if a subtree of 2 mask ranks is
// incomplete, its lower half receives the blocks that it would receive in a complete one.
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
            ranks.exchange(sent, ranks.at(partner), received, ranks.at(partner));
        if (is_low) pass_on_in_lower_half(high, tree, mask, upper, ranks);
    }
}

// A process has its own block and those of the d - 1 processes before it after the rounds with
// distances 1, 2, ..., d/2. Receives in place, so the blocks need no final rotation; a datatype
// describes messages that wrap around to block 0.
void replicate_by_dissemination(const Blocks& blocks, const Ranks& ranks) {
    const int size = ranks.size;
    for (int distance = 1; distance < size; distance *= 2) {
        const int n = std::min(distance, size - distance);
        const TypedBuffer sent = blocks.message(ranks.rank - n + 1 + size, n);
        const TypedBuffer received = blocks.message(ranks.rank - distance - n + 1 + size, n);
        ranks.exchange(sent, ranks.shifted(distance), received, ranks.shifted(-distance));
    }
}

}  // namespace mpiaudit
