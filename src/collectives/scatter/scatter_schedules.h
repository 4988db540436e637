// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of scatter.h send.
Trace linear_scatter(const CostProblem& problem);
Trace binomial_scatter(const CostProblem& problem);
Trace knomial_scatter_radix4(const CostProblem& problem);
Trace TUW_scatter(const CostProblem& problem);
Trace binomial_scatterv(const CostProblem& problem);
Trace knomial_scatterv_radix4(const CostProblem& problem);
Trace TUW_scatterv(const CostProblem& problem);

}  // namespace mpiaudit::schedules
