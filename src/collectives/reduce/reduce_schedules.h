// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of reduce.h, and TUW_Reduce, send and reduce.
Schedule linear_reduce(const CostProblem& problem);
Schedule binomial_reduce(const CostProblem& problem);
Schedule Rabenseifner_reduce(const CostProblem& problem);
Schedule MPICH2004_reduce(const CostProblem& problem);
Schedule TUW_reduce(const CostProblem& problem);

/// To position 0; part of other schedules.
void reduce_by_binomial_tree(Schedule& schedule, std::int64_t bytes, Positions positions);

}  // namespace mpiaudit::schedules
