// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "measure/prepared.h"
#include "plan/plan.h"

namespace mpiaudit {

/// 1 for each check of a problem that can be measured well within `limit_s` seconds together with
/// those before it, one of each operation in turn; no check at all when there is no time for one.
/// \param costs_s[c] seconds that contestant c takes in a round
std::vector<char> affordable_checks(const PlannedProblem& planned, const Prepared& prepared,
                                    const std::vector<double>& costs_s, double limit_s);

}  // namespace mpiaudit
