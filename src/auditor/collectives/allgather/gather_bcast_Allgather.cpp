// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include <algorithm>

#include "collectives/allgather/replicate.h"
#include "collectives/bcast/broadcast.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

// The blocks of a subtree of the binomial tree are consecutive. Every rank has room for all blocks,
// so that they are gathered in their final places on the way to the root, rank 0.
void gather_to_first(const Blocks& blocks, const Ranks& ranks) {
    const int rank = ranks.rank;
    for (int mask = 1; mask < ranks.size; mask *= 2) {
        const int first = (rank & mask) ? rank : rank + mask;
        if (first >= ranks.size) continue;
        const TypedBuffer subtree = blocks.message(first, std::min(mask, ranks.size - first));
        if (rank & mask) {
            messages::send(subtree.address, subtree.count, subtree.type, rank - mask, Tag::data,
                           ranks.comm);
            return;
        }
        messages::receive(subtree.address, subtree.count, subtree.type, rank + mask, Tag::data,
                          ranks.comm);
    }
}

}  // namespace

void replicate_by_root(const Blocks& blocks, const Ranks& ranks) {
    gather_to_first(blocks, ranks);
    broadcast_by_binomial_tree(blocks.message(0, ranks.size), ranks);
}

}  // namespace mpiaudit
