// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "options/option_table.h"

namespace mpiaudit {

/// What completes commands, options and choices in a shell: bash, zsh or fish.
std::string completion_for(const std::string& shell, std::span<const CommandRow> commands);
/// The manual page mpiaudit(1), in the language of man.
std::string manual_page(std::span<const CommandRow> commands);

inline constexpr const char* exit_codes_in_words =
    "Exit codes: 0 done, 1 violations (with --fail-on or --baseline), 2 wrong use,\n"
    "3 an implementation gives wrong results, 4 nothing selected, 5 nothing\n"
    "decided, 6 an operation hangs, 70 MPI or internal failure, 74 standard output\n"
    "is full or closed,\n"
    "75 interrupted by SIGINT (Ctrl-C), SIGTERM or SIGUSR1: the report has the\n"
    "problems so far, go on with --resume. A crash inside an operation ends as its\n"
    "signal does (134, 139 ...) and is named.";

}  // namespace mpiaudit
