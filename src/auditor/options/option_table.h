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

/// The options of `mpiaudit run`, in the order of the help. Parsing, recording, comparing,
/// confirming and reproducing are loops over these rows. To add an option, add a member to
/// RunOptions, a row here, and its use.
std::span<const OptionRow<RunOptions>> run_rows();
/// Returns the row of this name or former name; null if there is none.
const OptionRow<RunOptions>* find_run_row(std::string_view name);
/// Returns the rows that the command line accepts: without a simulator, none of the options for
/// simulations.
std::vector<OptionRow<RunOptions>> offered_run_rows();
/// Returns the options of `mpiaudit verify`.
std::vector<OptionRow<RunOptions>> verify_rows();

std::vector<OptionRow<JudgeOptions>> judge_rows();
/// Returns the options of run and judge about the rule of judging.
std::vector<OptionRow<judge::Rule>> rule_rows();

/// A command: its help, its options, and the function that runs it and returns the exit code.
struct CommandRow {
    const char* name;
    const char* summary;
    const char* examples;
    std::vector<BoundOption> (*options)(Command& command);
    int (*alone)(const Command& command);
    /// Instead of `alone`: runs the command on all ranks after MPI_Init. All ranks fail alike, and
    /// rank 0 prints the error.
    int (*on_all_ranks)(const Command& command, const Environment& environment) = nullptr;
};

std::vector<BoundOption> run_options(Command& command);
std::vector<BoundOption> verify_options(Command& command);
std::vector<BoundOption> judge_options(Command& command);
std::vector<BoundOption> list_options(Command& command);

/// Parses the command line without MPI and files, so that all ranks get equal results. Errors are
/// in Command::error. With an option for help, Command::text is the help. Without errors, the
/// defaults are settled. Words behind "--" go to the application unchanged.
/// \param commands valid commands, in the order of the help
Command parse_command(int argc, const char* const* argv, std::span<const CommandRow> commands);

/// Defaults of `run` and of `verify`.
RunOptions default_run_options();
RunOptions default_verify_options();
/// Sets options that are not given and whose defaults depend on other options.
void settle_defaults(RunOptions& run);
/// Sets an option to the default that follows from other options, even if the option is given.
/// Returns false, and sets nothing, if the option has no such default.
bool settle_default(RunOptions& run, std::string_view option);

/// Returns the options of `run` for scripts, one line for each:
///     NAME audit|launch|session|drawn|terminal value|flag taken|repeated|free COMMAND,...|- GROUP
/// With --confirm, an option is taken from the audit, must be repeated, or is free; COMMAND are the
/// other commands with an option of this name.
std::string options_for_scripts();

inline constexpr const char* exit_codes_in_words =
    "Exit codes: 0 done, 1 violations (with --fail-on or --baseline), 2 wrong use,\n"
    "3 an implementation gives wrong results, 4 nothing selected, 5 nothing\n"
    "decided, 6 an operation hangs, 70 MPI or internal failure, 74 standard output\n"
    "is full or closed,\n"
    "75 interrupted by SIGINT (Ctrl-C), SIGTERM or SIGUSR1: the report has all\n"
    "problems measured so far, --resume continues; also if a generated call of an\n"
    "audit crashes, whose report is complete: --resume tries this call alone, and\n"
    "only a call that fails there counts (3). After any other crash inside an\n"
    "operation: the signal's code (134, 139 ...), and a message names the operation.";

}  // namespace mpiaudit
