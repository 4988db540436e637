// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/option_row.h"
#include "options/options.h"

namespace mpiaudit {

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

/// A command with the text of its help; what it does, main.cpp has beside its name.
struct CommandRow {
    const char* name;
    const char* summary;
    const char* examples;
    std::vector<BoundOption> (*options)(Command& command);
};
/// In the order of the help.
std::span<const CommandRow> command_rows();

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

}  // namespace mpiaudit
