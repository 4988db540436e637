// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "collectives/call/binary_trees.h"
#include "collectives/call/blocks.h"
#include "collectives/reduce/reduction.h"

namespace mpiaudit {

/// Equally many segments go up each tree, those of the first tree are the first ones, and are
/// combined on their way, a rank's own operands before those of its subtrees; the root, position 0,
/// has them in `output` in the end, which may be its `own` ones. A rank has children in one of the
/// trees, position 0 may have some in all.
void reduce_up(std::span<const TreePlace> trees, const Reduction& reduction, const Blocks& own,
               void* output, const Ranks& ranks);

}  // namespace mpiaudit
