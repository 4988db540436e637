// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "audit/commands.h"
#include "options/option_table.h"

namespace mpiaudit {

/// What the other products add to the auditor, made once: simulated ranks share it. Options know
/// some of it, so that they are read afterwards.
const Additions& additions();

/// What the program can be asked for, in the order of its help: the commands of the auditor, and
/// those of the other products that are built.
std::span<const CommandRow> commands();

/// The command print: what completes commands in a shell, and the manual page.
std::vector<BoundOption> print_options(Command& command);
int print(const Command& command);
int say_version();

}  // namespace mpiaudit
