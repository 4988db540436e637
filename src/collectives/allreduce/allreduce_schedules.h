// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of allreduce.h send and reduce.
Trace reduce_bcast_allreduce(const CostProblem& problem);
Trace recursive_doubling_allreduce(const CostProblem& problem);
Trace Rabenseifner_allreduce(const CostProblem& problem);
Trace ring_allreduce(const CostProblem& problem);
Trace MPICH2004_allreduce(const CostProblem& problem);

/// recursive_doubling_allreduce of this many bytes; part of other schedules.
void allreduce_by_recursive_doubling(Trace& schedule, std::int64_t bytes);

}  // namespace mpiaudit::schedules
