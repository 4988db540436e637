// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of bcast.h send.
Schedule linear_bcast(const CostProblem& problem);
Schedule binomial_bcast(const CostProblem& problem);
Schedule van_de_Geijn_recursive_doubling_bcast(const CostProblem& problem);
Schedule van_de_Geijn_ring_bcast(const CostProblem& problem);
Schedule MPICH2004_bcast(const CostProblem& problem);

/// From position 0; part of other schedules.
void broadcast_by_binomial_tree(Schedule& schedule, std::int64_t bytes, Positions positions);

}  // namespace mpiaudit::schedules
