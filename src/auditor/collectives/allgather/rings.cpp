// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"
#include "collectives/call/integers.h"
#include "collectives/patterns/node_communicators.h"
#include "collectives/patterns/replicate.h"

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
        ranks.exchange(sent, partner, received, partner);
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

// The blocks of one group go round another, and then every rank passes on to the next group what it
// got from the one before. Groups are the nodes where they are known, else about as many as ranks
// in each.
void replicate_by_rings_of_groups(const Blocks& blocks, const Ranks& ranks) {
    const NodeSplit& split = node_split(ranks.callers);
    const int k = split.has_lanes() && split.ranks_per_node > 0
                      ? split.ranks_per_node
                      : ranks.size / largest_divisor_to_root(ranks.size);
    const int groups = ranks.size / k, group = ranks.rank / k, place = ranks.rank % k;
    const auto exchange = [&](int sent, int to, int received, int from) {
        ranks.exchange(blocks.message(sent), to, blocks.message(received), from);
    };
    const auto in_group = [&](int of, int at) { return of * k + modulo(at, k); };
    for (int round = 0; round < groups; ++round) {
        const int source = modulo(group - round, groups);
        for (int step = 1; step < k; ++step)
            exchange(in_group(source, place - step + 1), in_group(group, place + 1),
                     in_group(source, place - step), in_group(group, place - 1));
        if (round + 1 == groups) continue;
        exchange(in_group(source, place), in_group((group + 1) % groups, place),
                 in_group(modulo(source - 1, groups), place),
                 in_group(modulo(group - 1, groups), place));
    }
}

}  // namespace mpiaudit
