// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "options/options.h"

namespace mpiaudit {

/// The names that --protocol takes: "none", and of each paper whose tables and
/// figures the project has, the year.
std::vector<std::string> protocol_names();

/// Sets what --protocol means, where the command line says nothing else; these count as given.
void settle_protocol(RunOptions& run);

}  // namespace mpiaudit
