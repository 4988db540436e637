// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/console.h"
#include "report/report.h"

namespace mpiaudit {

/// What an audit found, on one screen of the terminal: the answer; for each operation how many
/// checks are decided and violated, how much the worst one is, on which problem, and what to call
/// instead; what was not audited and why; the command that measures the worst again.
/// \param where lines that say where the report is; they come last
std::string overview(const Report& report, const Terminal& terminal, const std::string& where);

}  // namespace mpiaudit
