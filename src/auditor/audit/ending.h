// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "report/gate.h"
#include "report/report.h"

namespace mpiaudit {

/// Throws UsageError where --baseline cannot be read or --junit not be written: before hours are
/// spent on measuring.
void check_gate(const GateOptions& options);

/// Writes the file of --junit, says what the gate excuses, and returns the exit code that the
/// report asks for. Throws UsageError where that is not possible.
int end_with(const Report& report, const GateOptions& options);

}  // namespace mpiaudit
