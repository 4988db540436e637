// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of allreduce.h send and reduce.
Schedule reduce_bcast_allreduce(const CostProblem& problem);
Schedule recursive_doubling_allreduce(const CostProblem& problem);
Schedule Rabenseifner_allreduce(const CostProblem& problem);
Schedule ring_allreduce(const CostProblem& problem);
Schedule MPICH2004_allreduce(const CostProblem& problem);

/// recursive_doubling_allreduce of this many bytes; part of other schedules.
void allreduce_by_recursive_doubling(Schedule& schedule, std::int64_t bytes);

}  // namespace mpiaudit::schedules
