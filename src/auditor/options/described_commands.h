// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace mpiaudit {

/// What the table says of an option, whatever the struct that it belongs to.
struct DescribedOption {
    std::string name;   ///< with dashes, unless it is a word of its own
    std::string value;  ///< what the help calls it; empty for a flag
    std::string help, group;
    std::vector<std::string> choices;
    bool is_positional = false;
};

struct DescribedCommand {
    std::string name, summary;
    std::vector<DescribedOption> options;
};

/// All commands with their options, in the order of the help.
std::vector<DescribedCommand> described_commands();

/// What completes commands, options and choices in a shell: bash, zsh or fish.
std::string completion_for(const std::string& shell);
/// The manual page mpiaudit(1), in the language of man.
std::string manual_page();

inline constexpr const char* exit_codes_in_words =
    "Exit codes: 0 done, 1 violations (with --fail-on or --baseline), 2 wrong use,\n"
    "3 an implementation gives wrong results, 4 nothing selected, 5 nothing\n"
    "decided, 6 an operation hangs, 70 MPI or internal failure, 74 standard output\n"
    "is full or closed,\n"
    "75 interrupted by SIGINT (Ctrl-C), SIGTERM or SIGUSR1: the report has the\n"
    "problems so far, go on with --resume. A crash inside an operation ends as its\n"
    "signal does (134, 139 ...) and is named.";

}  // namespace mpiaudit
