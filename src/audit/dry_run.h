// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "measure/protocol.h"
#include "plan/plan.h"

namespace mpiaudit {

/// Prints the plan in words, and its duration from a round of every problem. Returns the exit code.
/// Collective.
int dry_run(const Plan& plan, const RunOptions& options, const Protocol& protocol);

}  // namespace mpiaudit
