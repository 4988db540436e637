// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "collectives/gather/gather_tree.h"
#include "collectives/gather/rooted_call.h"

namespace mpiaudit {

/// What a rank's own subtree consists of, in the order of its blocks: the children and, as one of
/// them, the rank's own block. Their amounts add up to the offsets in an intermediate buffer.
std::vector<Subtree> pieces_in_order(const RootedCall& call, const GatherNode& node);

}  // namespace mpiaudit
