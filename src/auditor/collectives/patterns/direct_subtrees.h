// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/call/ranks.h"
#include "collectives/patterns/gather_trees.h"

namespace mpiaudit {

/// Which gather or scatter with graceful degradation on this communicator this is, counted from 0.
/// Every rank counts every such operation, so all have the same number.
std::int64_t next_degrading_call(const Ranks& ranks);

/// Tells the root of the operation which ranks' blocks travel directly between it and this rank.
void announce_direct_subtree(const Subtree& subtree, std::int64_t call_number, int root,
                             const Ranks& ranks);

/// At the root: the `count` subtrees that deal directly with it in this call, in the order of their
/// first ranks and the larger ones first, amounts unset. It knows their number from the
/// construction of the tree but not their roots, so it takes announcements from any rank. A rank
/// that needs to wait for nobody may already announce for a later call: that announcement is kept
/// for it.
std::vector<Subtree> direct_subtrees(std::int64_t count, std::int64_t call_number,
                                     const Ranks& ranks);

/// The ranks of a subtree without those of the direct subtrees inside it, which are in the order of
/// direct_subtrees(). Subtrees of an ordered tree are disjoint or inside each other.
std::vector<int> ranks_without(const Subtree& subtree, const std::vector<Subtree>& direct);

}  // namespace mpiaudit
