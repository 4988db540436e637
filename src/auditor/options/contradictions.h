// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "options/options.h"

namespace CLI {
class App;
}

namespace mpiaudit {

/// Throws CLI::ValidationError if options of `run` contradict each other.
/// \param app the parsed command
void check_constraints(const CLI::App& app, const RunOptions& run);

}  // namespace mpiaudit
