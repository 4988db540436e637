// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "collectives/call/binary_trees.h"
#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"

namespace mpiaudit {

/// Equally many segments go down each tree, those of the first tree are the first ones. A rank has
/// children in one of the trees, position 0 may have some in all.
void broadcast_down(std::span<const TreePlace> trees, const Blocks& segments, const Ranks& ranks);

}  // namespace mpiaudit
