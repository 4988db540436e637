// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of alltoall.h send; their copies cost nothing in the model, so that all
// regular ones of the Bruck family are alike.
Trace direct_alltoall(const CostProblem& problem);
Trace pairwise_alltoall(const CostProblem& problem);
Trace Bruck_alltoall(const CostProblem& problem);
Trace zeroBruckV_alltoallv(const CostProblem& problem);
/// The repeated part, without init.
Trace persBruckV_alltoallv(const CostProblem& problem);

}  // namespace mpiaudit::schedules
