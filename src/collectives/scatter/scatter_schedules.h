// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of scatter.h send.
Schedule linear_scatter(const CostProblem& problem);
Schedule binomial_scatter(const CostProblem& problem);
Schedule knomial_scatter_radix4(const CostProblem& problem);
Schedule TUW_scatter(const CostProblem& problem);
Schedule binomial_scatterv(const CostProblem& problem);
Schedule knomial_scatterv_radix4(const CostProblem& problem);
Schedule TUW_scatterv(const CostProblem& problem);

}  // namespace mpiaudit::schedules
