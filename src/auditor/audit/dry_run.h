// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "measure/protocol.h"
#include "plan/plan.h"

namespace mpiaudit {

/// The ranks that a plan is for: the `ranks` of this job, or with --dry-run in a single process
/// those of --ranks. So a job can be planned before it is submitted, without its hosts and its
/// times.
int ranks_of_plan(const LaunchOptions& options, int ranks);

/// Prints the plan in words, and its duration from a round of every problem, if it is for the ranks
/// of this job. Returns the exit code. Collective.
int dry_run(const Plan& plan, const Inputs& inputs, const RunOptions& options,
            const Protocol& protocol);

}  // namespace mpiaudit
