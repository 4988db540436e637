// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "measure/problem_rounds.h"

namespace mpiaudit {

/// Measures how much memory each operation of the library takes during a call, and times the checks
/// whose result depends on the heap once more with the young heap, from which first calls get their
/// memory. Skips small problems and problems without time left. Leaves the heap grown. Collective.
/// \param limit_s wall time for all of this, in seconds
/// \param is_recorded whether this rank adds the samples to `record` (young_heap)
void compare_heaps(const PreparedProblem& problem, double limit_s, bool is_recorded,
                   record::ProblemRecord& record);

}  // namespace mpiaudit
