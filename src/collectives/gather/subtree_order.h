// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "collectives/datatypes/blocks_at_root.h"
#include "collectives/gather/gather_tree.h"
#include "collectives/gather/rooted_call.h"

namespace mpiaudit {

/// The ranks of a subtree, wrapping around at p, in the order of its blocks: one range or two.
std::vector<RankRange> ranges_of(const Subtree& subtree, int ranks);

/// What a rank's own subtree consists of, in the order of its blocks: the children and, as one of
/// them, the rank's own block. Their amounts add up to the offsets in an intermediate buffer.
std::vector<Subtree> pieces_in_order(const RootedCall& call, const GatherNode& node);

}  // namespace mpiaudit
