// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "screens/console.h"
#include "screens/screen.h"

namespace mpiaudit {

/// Returns what the audit knows about a row: times over sizes, conditions, how sure the row is,
/// what to do instead with code, and the commands that measure and reproduce the row.
std::string explanation(const Report& report, const OverviewRow& row, const Terminal& terminal,
                        const Where& where);

}  // namespace mpiaudit
