// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/environment.h"
#include "options/options.h"

namespace mpiaudit {

/// Exit codes of the program, the same on every rank.
enum ExitCode {
    exit_done = 0,
    exit_violations = 1,  ///< only with --fail-on or --baseline
    exit_usage = 2,
    exit_wrong_result = 3,
    exit_nothing_selected = 4,
    exit_nothing_decided = 5,  ///< checks, and not one has an answer
    exit_hang = 6,             ///< an operation does not return
    exit_internal = 70,
    exit_output = 74,       ///< EX_IOERR of sysexits.h: standard output is full or closed
    exit_interrupted = 75,  ///< EX_TEMPFAIL of sysexits.h: --resume goes on
};

// Each command returns its exit code. Those that run on all ranks return the same one everywhere
// and throw UsageError on all ranks alike.

int run_audit(const Command& command, const Environment& environment);
int verify_collectives(const RunOptions& options, const Environment& environment);
int probe_network(const ProbeOptions& options, const Environment& environment);
/// Becomes the application: returns only when it cannot be started.
int record_application(const RecordOptions& options);
/// Becomes the application: returns only when it cannot be started.
int apply_rules(const ApplyOptions& options);
/// In one process, which starts the ranks of the application.
int prove(const ProveOptions& options);
int list(const ListOptions& options);
int judge_again(const JudgeOptions& options);
/// Writes a program that shows a violation without mpiaudit.
int reproduce(const ReproduceOptions& options);
int repair_library(const RepairOptions& options);
int print(const PrintOptions& options);
int say_version();

}  // namespace mpiaudit
