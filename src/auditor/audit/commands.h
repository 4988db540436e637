// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "audit/additions.h"
#include "mpi/environment.h"
#include "options/option_table.h"
#include "text/exit_code.h"

namespace mpiaudit {

// Each command returns its exit code. Those that run on all ranks return the same one everywhere
// and throw UsageError on all ranks alike.

int run_audit(const Command& command, const Environment& environment, const Additions& additions);
int verify_collectives(const RunOptions& options, const Environment& environment,
                       const Additions& additions);
int list(const ListOptions& options, const Additions& additions);
int judge_again(const JudgeOptions& options);
/// Writes a program that shows a violation without mpiaudit.
int reproduce(const ReproduceOptions& options);
int print(const PrintOptions& options, std::span<const CommandRow> commands);
int say_version();

}  // namespace mpiaudit
