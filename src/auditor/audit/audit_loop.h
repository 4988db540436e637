// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "measure/protocol.h"
#include "plan/plan.h"
#include "record/session.h"

namespace mpiaudit {

/// How far a session came; the same on every rank.
struct Progression {
    int measured = 0;           ///< problems
    int signal = 0;             ///< that ended it before the last problem; 0: none
    std::string wrong_barrier;  ///< why it had to end before the last problem; empty: it had not
};

/// Measures every problem that the session does not have yet, those first that tell most. What the
/// budget of seconds has no room for is recorded as such. In what is left of it further ones are
/// chosen, where the plan allows that, and join it. `session`: null but on rank 0. Collective.
Progression measure_problems(Plan& plan, const std::vector<Guideline>& guidelines,
                             const Protocol& protocol, double budget_s, Session* session,
                             When moving_progress);

/// The ranks that a plan is for: the `ranks` of this job, or with --dry-run in a single process
/// those of --ranks. So a job can be planned before it is submitted, without its hosts.
int ranks_of_plan(const LaunchOptions& options, int ranks);

/// Prints the plan in words. On rank 0 of so many.
void dry_run(const Plan& plan, const Inputs& inputs, const RunOptions& options, int ranks);

}  // namespace mpiaudit
