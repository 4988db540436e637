// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/option_row.h"
#include "options/options.h"

namespace mpiaudit {

class Environment;

/// The options of `mpiaudit run`, in the order of its help. What parses, records, compares,
/// confirms and reproduces is a loop over these rows: a new option is a member of RunOptions, its
/// row, and its use.
std::span<const OptionRow<RunOptions>> run_rows();
/// The row of that name; null when there is none.
const OptionRow<RunOptions>* find_run_row(std::string_view name);
/// Those of them that the command line has: not those for a simulation where there is none.
std::vector<OptionRow<RunOptions>> offered_run_rows();
/// Those of them that `mpiaudit verify` has too.
std::vector<OptionRow<RunOptions>> verify_rows();

std::vector<OptionRow<JudgeOptions>> judge_rows();
/// Those of run and judge that say how to judge.
std::vector<OptionRow<judge::Rule>> rule_rows();

/// A command: its help, its options, and what it does, which returns the exit code.
struct CommandRow {
    const char* name;
    const char* summary;
    const char* examples;
    std::vector<BoundOption> (*options)(Command& command);
    int (*alone)(const Command& command);
    /// Instead: all ranks fail alike, and speak through rank 0.
    int (*on_all_ranks)(const Command& command, const Environment& environment) = nullptr;
};

std::vector<BoundOption> run_options(Command& command);
std::vector<BoundOption> verify_options(Command& command);
std::vector<BoundOption> judge_options(Command& command);
std::vector<BoundOption> list_options(Command& command);

/// Reads the command line. Touches neither MPI nor files, so that all ranks get the same.
/// \param commands that it may name, in the order of the help
Command parse_command(int argc, const char* const* argv, std::span<const CommandRow> commands);

/// `run` without any option, and what `verify` has instead.
RunOptions default_run_options();
RunOptions default_verify_options();
/// Sets what is not given and depends on what is given.
void settle_defaults(RunOptions& run);
/// The same of one option, given or not; false when it depends on no other.
bool settle_default(RunOptions& run, std::string_view option);

/// The options of `run`, for scripts, a line for each:
///     NAME audit|launch|session|drawn|terminal value|flag taken|repeated|free COMMAND,...|- GROUP
/// where --confirm takes the value from the audit, wants it repeated, or leaves it free, and
/// COMMAND has an option of this name, too.
std::string options_for_scripts();

inline constexpr const char* exit_codes_in_words =
    "Exit codes: 0 done, 1 violations (with --fail-on or --baseline), 2 wrong use,\n"
    "3 an implementation gives wrong results, 4 nothing selected, 5 nothing\n"
    "decided, 6 an operation hangs, 70 MPI or internal failure, 74 standard output\n"
    "is full or closed,\n"
    "75 interrupted by SIGINT (Ctrl-C), SIGTERM or SIGUSR1: the report has all\n"
    "problems measured so far, --resume continues. After a crash inside an\n"
    "operation: the signal's code (134, 139 ...), and a message names the operation.";

}  // namespace mpiaudit
