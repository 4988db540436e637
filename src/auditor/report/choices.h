// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "report/report.h"

namespace mpiaudit {

/// Where problems were solved with the library's own algorithms too: for each problem and operation
/// the median time of the library's choice and of each algorithm, the fastest first, and the rank
/// of the choice among them.
std::vector<Choice> choices(const std::vector<ReportedProblem>& problems);

}  // namespace mpiaudit
