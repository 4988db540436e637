// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of scan.h send and reduce.
Schedule linear_scan(const CostProblem& problem);
Schedule linear_exscan(const CostProblem& problem);
Schedule recursive_doubling_scan(const CostProblem& problem);
Schedule recursive_doubling_exscan(const CostProblem& problem);

}  // namespace mpiaudit::schedules
