// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "measure/problem_rounds.h"

namespace mpiaudit {

/// 1 for each check of the problem one of whose sides, an operation of the library, takes longer
/// with one heap (machine/heap.h) than with the other, by more than the tolerance: in each of a few
/// pairs of calls, which an equal pair passes with a probability of 5 %. No check where there is
/// little data, since no block is large then, and none where the pairs would take more than
/// `limit_s` seconds. Leaves the heap grown. Collective.
std::vector<char> checks_that_the_heap_changes(const PreparedProblem& problem,
                                               std::uint64_t order_seed, double limit_s);

}  // namespace mpiaudit
