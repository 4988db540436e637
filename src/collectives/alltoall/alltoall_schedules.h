// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of alltoall.h send; their copies cost nothing in the model, so that all
// regular ones of the Bruck family are alike.
Schedule direct_alltoall(const CostProblem& problem);
Schedule pairwise_alltoall(const CostProblem& problem);
Schedule Bruck_alltoall(const CostProblem& problem);
Schedule zeroBruckV_alltoallv(const CostProblem& problem);
/// The repeated part, without init.
Schedule persBruckV_alltoallv(const CostProblem& problem);

}  // namespace mpiaudit::schedules
