// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of bcast.h send.
Trace linear_bcast(const CostProblem& problem);
Trace binomial_bcast(const CostProblem& problem);
Trace van_de_Geijn_recursive_doubling_bcast(const CostProblem& problem);
Trace van_de_Geijn_ring_bcast(const CostProblem& problem);
Trace MPICH2004_bcast(const CostProblem& problem);

/// From position 0; part of other schedules.
void broadcast_by_binomial_tree(Trace& schedule, std::int64_t bytes, Positions positions);

}  // namespace mpiaudit::schedules
