// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "collectives/moved_blocks.h"

namespace mpiaudit::test {

/// The distributions of Träff 2017, section 5, and the extremes: blocks in items.
std::vector<std::vector<int>> item_distributions(int ranks);

/// The cross product that is worth its time for a gather or a scatter: every distribution with
/// every root, the other properties in turn, and every kind of element with every placing.
std::vector<Move> irregular_moves(int ranks);
std::vector<Move> regular_moves(int ranks);

}  // namespace mpiaudit::test
