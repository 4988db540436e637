// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"
#include "collectives/allgather/replicate.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

// Ranks 2i and 2i+1 are a pair. The blocks of a pair go on together, to the right from the odd rank
// of each pair and to the left from the even one, so that a rank passes on to one neighbour what it
// got from the other.
void replicate_by_neighbour_exchange(const Blocks& blocks, const Ranks& ranks) {
    const int size = ranks.size;
    if (size % 2 != 0) return replicate_by_ring(blocks, ranks);
    const int rank = ranks.rank;
    const int away = rank % 2 == 0 ? 1 : -1;  // to the other rank of the pair
    const auto exchange = [&](int partner, const TypedBuffer& sent, const TypedBuffer& received) {
        messages::exchange(sent.address, sent.count, sent.type, partner, Tag::data,
                           received.address, received.count, received.type, partner, Tag::data,
                           ranks.comm);
    };
    exchange(ranks.shifted(away), blocks.message(rank), blocks.message(ranks.shifted(away)));
    const int own_pair = rank - rank % 2;
    int had = own_pair;
    for (int step = 1; step < size / 2; ++step) {
        // In odd steps with the neighbour in the next pair, whose latest blocks are `step` pairs
        // away on that side; in even steps with the other rank of the pair.
        const int direction = step % 2 == 1 ? -away : away;
        const int pairs = step % 2 == 1 ? (step + 1) / 2 : step / 2;
        const int got = ((own_pair + direction * 2 * pairs) % size + size) % size;
        exchange(ranks.shifted(direction), blocks.message(had, 2), blocks.message(got, 2));
        had = got;
    }
}

}  // namespace mpiaudit
