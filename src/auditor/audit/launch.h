// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/environment.h"
#include "options/options.h"

namespace mpiaudit {

/// Throws UsageError unless the launcher has started what it was asked for: one MPI job rather than
/// as many as Slurm's step has tasks, --ranks, and --ranks-per-node on every node. Collective.
void check_launch(const LaunchOptions& options, const Environment& environment);

/// Whether this rank tells the user about errors that all ranks meet: rank 0, and of the jobs of
/// one rank each that a launcher with the wrong PMI makes, only the first.
bool speaks_for_all(const Environment& environment);

}  // namespace mpiaudit
