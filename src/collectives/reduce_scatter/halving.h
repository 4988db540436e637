// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "collectives/reduce_scatter/fold.h"

namespace mpiaudit {

/// Recursive halving among the processes that are left of `fold`: every one has its operands in
/// `result`; afterwards the reduction over all of them of the elements begins[number] to
/// begins[number + 1] - 1 is there. `incoming` is as large as `result`. Commutative operators only.
void reduce_by_halving(const Reduction& reduction, const std::vector<int>& begins, void* result,
                       void* incoming, const Fold& fold, const Processes& processes);

/// Where `parts` consecutive parts of `count` elements begin that differ by at most one element in
/// size, and where the last one ends.
std::vector<int> even_parts(int count, int parts);

/// Where consecutive blocks of these sizes begin, and where the last one ends.
std::vector<int> consecutive_blocks(const int counts[], int blocks);

}  // namespace mpiaudit
