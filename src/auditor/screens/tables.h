// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/report.h"
#include "screens/console.h"

namespace mpiaudit {

/// Returns a table of the library's choices beside the best algorithm, for each operation and
/// problem; empty if the report has no choices.
std::string choices_table(const Report& report, const Terminal& terminal);

}  // namespace mpiaudit
