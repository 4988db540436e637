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

// The options of the other commands.
std::span<const OptionRow<ProbeOptions>> probe_rows();
std::span<const OptionRow<RecordOptions>> record_rows();
std::span<const OptionRow<ApplyOptions>> apply_rows();
std::span<const OptionRow<ProveOptions>> prove_rows();
std::span<const OptionRow<ListOptions>> list_rows();
std::span<const OptionRow<RepairOptions>> repair_rows();
std::span<const OptionRow<JudgeOptions>> judge_rows();
std::span<const OptionRow<ReproduceOptions>> reproduce_rows();
std::span<const OptionRow<PrintOptions>> print_rows();

/// `run` without any option, and what `verify` has instead.
RunOptions default_run_options();
RunOptions default_verify_options();
/// Sets what is not given and depends on what is given.
void settle_defaults(RunOptions& run);

/// The options of `run`, for scripts, a line for each:
///     NAME audit|launch|session|drawn|terminal value|flag taken|repeated|free COMMAND,...|- GROUP
/// where --confirm takes the value from the audit, wants it repeated, or leaves it free, and
/// COMMAND has an option of this name, too.
std::string options_for_scripts();

}  // namespace mpiaudit
