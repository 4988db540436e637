// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

#include "collectives/call/ranks.h"
#include "collectives/gather/ordered_tree.h"

namespace mpiaudit {

/// What one rank knows of an ordered tree after its construction.
struct DistributedNode {
    GatherNode node;
    /// The largest cube of which the rank knows: all ranks at the root of the tree and at its fixed
    /// root, the last rank.
    OrderedCube cube;
};

/// This rank's node of ordered_gather_tree, found by the exchanges of Träff 2017, Lemma 3: every
/// rank knows nothing but its own block size in bytes and the root. Collective;
/// at most 2 ceil(log p) - 1 dependent messages of constant size.
DistributedNode distributed_ordered_tree(std::int64_t block_bytes, int given_root,
                                         const Ranks& ranks,
                                         const OrderedTreeOptions& options = {});

}  // namespace mpiaudit
