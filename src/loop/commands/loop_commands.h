// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "options/options.h"

namespace mpiaudit {

// From a library to an application: the commands of this product. Each returns its exit code.

/// Becomes the application: returns only when it cannot be started.
int record_application(const RecordOptions& options);
/// Becomes the application: returns only when it cannot be started.
int apply_rules(const ApplyOptions& options);
/// In one process, which starts the ranks of the application.
int prove(const ProveOptions& options);
int repair_library(const RepairOptions& options);

/// `mpiaudit list paths`: a line for each, the collective and what can take its place.
void list_paths();
/// Whether a rule for the collective can name a contestant of a report.
bool is_path_of(const std::string& collective, const std::string& contestant);

}  // namespace mpiaudit
