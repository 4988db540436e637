// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "audit/additions.h"
#include "guidelines/path.h"
#include "mpi/environment.h"
#include "options/option_table.h"
#include "options/options.h"

namespace mpiaudit {

struct Suspicions;

// Each command returns its exit code. Those that run on all ranks return the same one everywhere
// and throw UsageError on all ranks alike.

/// \param suspicions of an earlier audit, which this launch confirms; null where it is none
int run_audit(const Command& command, const Environment& environment, const Additions& additions,
              const Suspicions* suspicions = nullptr);
/// `run --confirm`: an audit of what another one suspects.
int confirm_audit(const Command& command, const Environment& environment,
                  const Additions& additions);
int verify_collectives(const RunOptions& options, const Environment& environment,
                       const Additions& additions);
/// `verify --calls`: calls a path so many times in a row, the last rank late, and verifies the last
/// call. Returns what is wrong then, or that calls become slower and slower; the same on every
/// rank. Collective. \param operation the number of the path, for the watchdog
std::optional<std::string> endure_calls(const Path& path, const Instance& instance, int calls,
                                        int operation);
/// `verify --communicators`: makes communicators of all ranks and of overlapping groups until so
/// many are there. Returns why there can be no more; the same on every rank. Collective.
std::optional<std::string> endure_communicators(int wanted);
int list(const ListOptions& options, const Additions& additions);
int judge_again(const JudgeOptions& options);

/// Throws UsageError unless the launcher has started what it was asked for: one MPI job rather than
/// as many as Slurm's step has tasks, --ranks, and --ranks-per-node on every node. Collective.
void check_launch(const LaunchOptions& options, const Environment& environment);

/// Whether this rank tells the user about errors that all ranks meet: rank 0, and of the jobs of
/// one rank each that a launcher with the wrong PMI makes, only the first.
bool speaks_for_all(const Environment& environment);

}  // namespace mpiaudit
