// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/schedules/cost_problem.h"
#include "collectives/schedules/schedule.h"

namespace mpiaudit::schedules {

/// What dissemination_Barrier sends.
Schedule dissemination_barrier(const CostProblem& problem);

}  // namespace mpiaudit::schedules
