// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"

#include <algorithm>

#include "collectives/allgather/replicate.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// Leaves block q with the process at position q, along a binomial tree from position 0: every
/// process gets the blocks of its whole subtree, which are consecutive, in their final places.
void scatter_blocks(void* buffer, const Blocks& blocks, const Processes& processes) {
    const int rank = processes.rank;
    int mask = 1;
    while (mask < processes.size && !(rank & mask)) mask *= 2;
    if (rank > 0) {
        const Message subtree = blocks.message(rank, std::min(mask, processes.size - rank));
        messages::receive(subtree.in(buffer), subtree.count, subtree.type,
                          processes.process(rank - mask), message_tag, processes.comm);
    }
    for (mask /= 2; mask > 0; mask /= 2) {
        const int child = rank + mask;
        if (child >= processes.size) continue;
        const Message subtree = blocks.message(child, std::min(mask, processes.size - child));
        messages::send(subtree.in(buffer), subtree.count, subtree.type, processes.process(child),
                       message_tag, processes.comm);
    }
}

}  // namespace

int van_de_Geijn_recursive_doubling_Bcast(void* buffer, int count, MPI_Datatype datatype, int root,
                                          MPI_Comm comm) {
    const Processes processes{comm, root};
    const Blocks blocks = Blocks::split(count, datatype, processes.size);
    scatter_blocks(buffer, blocks, processes);
    replicate_by_recursive_doubling(buffer, blocks, processes);
    return MPI_SUCCESS;
}

int van_de_Geijn_ring_Bcast(void* buffer, int count, MPI_Datatype datatype, int root,
                            MPI_Comm comm) {
    const Processes processes{comm, root};
    const Blocks blocks = Blocks::split(count, datatype, processes.size);
    scatter_blocks(buffer, blocks, processes);
    replicate_by_ring(buffer, blocks, processes);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
