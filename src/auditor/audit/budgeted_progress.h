// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "audit/budget.h"
#include "plan/plan.h"
#include "screens/progress.h"

namespace mpiaudit {

/// The progress that rank 0 shows, and the time that it gives to each problem.
struct BudgetedProgress {
    BudgetedProgress(const Plan& plan, const std::vector<char>& left, double budget_s, bool moves);

    Progress progress;
    Budget budget;
};

/// Returns the line of the progress, such as "same/b=10: MPI_Gather, MPI_Bcast".
std::string in_words(const ProblemOutline& planned);

}  // namespace mpiaudit
