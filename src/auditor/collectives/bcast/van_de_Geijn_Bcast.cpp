// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"

#include <algorithm>

#include "collectives/allgather/replicate.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// Leaves block q with the rank at position q, along a binomial tree from position 0: every rank
/// gets the blocks of its whole subtree, which are consecutive, in their final places.
void scatter_blocks(const Blocks& blocks, const Ranks& ranks) {
    int mask = 1;
    while (mask < ranks.size && !(ranks.position & mask)) mask *= 2;
    if (ranks.position > 0) {
        const TypedBuffer subtree =
            blocks.message(ranks.position, std::min(mask, ranks.size - ranks.position));
        messages::receive(subtree.address, subtree.count, subtree.type, ranks.shifted(-mask),
                          Tag::data, ranks.comm);
    }
    for (mask /= 2; mask > 0; mask /= 2) {
        const int child = ranks.position + mask;
        if (child >= ranks.size) continue;
        const TypedBuffer subtree = blocks.message(child, std::min(mask, ranks.size - child));
        messages::send(subtree.address, subtree.count, subtree.type, ranks.at(child), Tag::data,
                       ranks.comm);
    }
}

int scatter_and_replicate(Replicate replicate, void* buffer, int count, MPI_Datatype datatype,
                          int root, MPI_Comm comm) {
    const Ranks ranks{comm, root};
    const Blocks blocks = Blocks::split(buffer, count, datatype, ranks.size);
    scatter_blocks(blocks, ranks);
    replicate(blocks, ranks);
    return MPI_SUCCESS;
}

}  // namespace

int van_de_Geijn_recursive_doubling_Bcast(void* buffer, int count, MPI_Datatype datatype, int root,
                                          MPI_Comm comm) {
    return scatter_and_replicate(replicate_by_recursive_doubling, buffer, count, datatype, root,
                                 comm);
}

int van_de_Geijn_ring_Bcast(void* buffer, int count, MPI_Datatype datatype, int root,
                            MPI_Comm comm) {
    return scatter_and_replicate(replicate_by_ring, buffer, count, datatype, root, comm);
}

}  // namespace mpiaudit
