// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/commands.h"
#include "options/option_table.h"

namespace mpiaudit {

/// Returns what other products add to the auditor. The first call registers their algorithms,
/// arrows and protocols, so it must come before the command line is parsed.
const OtherProducts& joined_products();

/// Returns the commands of all products that are built, in the order of the help.
std::span<const CommandRow> commands();

/// Returns the end of an error message, "; ...", if the program was built without the command; ""
/// for all other names.
std::string remedy_for_missing(std::string_view command);

/// The command `print`: the completion script of bash, and the manual page.
std::vector<BoundOption> print_options(Command& command);
int print(const Command& command);
int say_version();

}  // namespace mpiaudit
