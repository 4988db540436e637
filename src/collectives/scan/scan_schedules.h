// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of scan.h send and reduce.
Trace linear_scan(const CostProblem& problem);
Trace linear_exscan(const CostProblem& problem);
Trace recursive_doubling_scan(const CostProblem& problem);
Trace recursive_doubling_exscan(const CostProblem& problem);

}  // namespace mpiaudit::schedules
