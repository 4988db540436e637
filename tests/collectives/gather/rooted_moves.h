// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "collectives/moved_blocks.h"

namespace mpiaudit::test {

/// The cross product that is worth its time for a gather or a scatter: every distribution with
/// every root, the other properties in turn, and every kind of element with every placing.
std::vector<Move> irregular_moves(int ranks);
std::vector<Move> regular_moves(int ranks);

/// Every case by every algorithm; then every case by another algorithm than the one before and with
/// another root, so that messages of two operations are on their way at once.
void check_each_and_in_turns(const std::vector<Tested>& algorithms, const std::vector<Move>& cases);

}  // namespace mpiaudit::test
