// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

/// What dissemination_Barrier sends.
Trace dissemination_barrier(const CostProblem& problem);

}  // namespace mpiaudit::schedules
