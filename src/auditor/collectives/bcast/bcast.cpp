// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"

#include "collectives/call/limits.h"
#include "collectives/datatypes/layout.h"
#include "collectives/patterns/replicate.h"
#include "collectives/patterns/trees.h"

namespace mpiaudit {

int bcast_by(Broadcast broadcast, void* buffer, int count, MPI_Datatype datatype, int root,
             MPI_Comm comm) {
    broadcast({buffer, count, datatype}, Ranks{comm, root});
    return MPI_SUCCESS;
}

void broadcast_by_binomial_tree(const TypedBuffer& vector, const Ranks& ranks) {
    broadcast_along(knomial_tree<2>(ranks), vector, ranks);
}

void broadcast_by_knomial_tree(const TypedBuffer& vector, const Ranks& ranks) {
    broadcast_along(knomial_tree<4>(ranks), vector, ranks);
}

void broadcast_by_bine_tree(const TypedBuffer& vector, const Ranks& ranks) {
    broadcast_along(*bine_tree(ranks), vector, ranks);
}

void broadcast_one_by_one(const TypedBuffer& vector, const Ranks& ranks) {
    if (ranks.position > 0) return ranks.receive(vector, ranks.first);
    for (int destination = 0; destination < ranks.size; ++destination)
        if (destination != ranks.first) ranks.send(vector, destination);
}

/// Leaves block q with the rank at position q, along a binomial tree from position 0: every rank
/// gets the blocks of its whole subtree, which are consecutive, in their final places.
void scatter_and_replicate(Replicate replicate, const TypedBuffer& vector, const Ranks& ranks) {
    const Blocks blocks = Blocks::split(vector.address, vector.count, vector.type, ranks.size);
    const KnomialTree<2> tree = knomial_tree<2>(ranks);
    const auto subtree = [&](int position) {
        return blocks.message(position, KnomialTree<2>{position, ranks.size}.subtree());
    };
    if (ranks.position > 0) ranks.receive(subtree(ranks.position), ranks.at(tree.parent()));
    tree.for_each_child_down([&](int child) { ranks.send(subtree(child), ranks.at(child)); });
    replicate(blocks, ranks);
}

// Thakur & Gropp, section 4.2, with the limits of section 4.1 for the allgather at the end.
void broadcast_as_MPICH2004(const TypedBuffer& vector, const Ranks& ranks) {
    const std::int64_t bytes = vector.count * type_bytes(vector.type);
    if (bytes < MPICH2004_limits::long_bcast) return broadcast_by_binomial_tree(vector, ranks);
    const bool is_very_long = bytes >= MPICH2004_limits::very_long_bcast;
    scatter_and_replicate(is_very_long ? replicate_by_ring : replicate_by_recursive_doubling,
                          vector, ranks);
}

}  // namespace mpiaudit
