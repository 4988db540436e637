// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/console.h"

namespace mpiaudit {

/// Where problems were solved with the library's own algorithms too: for each problem and operation
/// the median time of the library's choice and of each algorithm, the fastest first, and the rank
/// of the choice among them: 1 when no algorithm is faster. `problems` as in a report.
nlohmann::json choices(const nlohmann::json& problems);

/// The best algorithm per operation and problem beside the library's choice, as a table; empty when
/// the report has no choices.
std::string choices_table(const nlohmann::json& report, const Terminal& terminal);

}  // namespace mpiaudit
