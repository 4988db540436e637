// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

}  // namespace mpiaudit
