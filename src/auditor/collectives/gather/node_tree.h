// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/gather/gather_tree.h"

namespace mpiaudit {

/// A rank's place in a tree of two levels: a k-nomial tree over the ranks of each node, whose first
/// rank leads it, and one over the leaders, in which the root is that of its node. Every subtree is
/// a range of ranks modulo p, so that blocks travel in their order; for that the ranks of the
/// root's node that are before it are a tree of their own. One message enters or leaves a node per
/// edge between nodes. Nodes are `ranks_per_node` consecutive ranks; 0: not known, which gives
/// fixed_tree(). The amounts are not known yet.
GatherNode node_tree(int rank, int root, int ranks, int ranks_per_node, int radix);

}  // namespace mpiaudit
