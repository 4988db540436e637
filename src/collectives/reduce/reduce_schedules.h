// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of reduce.h, and TUW_Reduce, send and reduce.
Trace linear_reduce(const CostProblem& problem);
Trace binomial_reduce(const CostProblem& problem);
Trace Rabenseifner_reduce(const CostProblem& problem);
Trace MPICH2004_reduce(const CostProblem& problem);
Trace TUW_reduce(const CostProblem& problem);

/// To position 0; part of other schedules.
void reduce_by_binomial_tree(Trace& schedule, std::int64_t bytes, Positions positions);

}  // namespace mpiaudit::schedules
