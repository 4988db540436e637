// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "audit/commands.h"
#include "options/local_options.h"
#include "options/option_table.h"

namespace mpiaudit {

/// `mpiaudit local`: starts the ranks of an audit, then further launches that measure the
/// violations again. Returns the exit code of the audit.
/// \param commands of the program, which parse the options of the audit
int audit_locally(const Command& command, std::span<const CommandRow> commands,
                  const OtherProducts& other_products);

}  // namespace mpiaudit
