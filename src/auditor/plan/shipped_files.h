// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace mpiaudit {

// Files that come with mpiaudit. `kind`: guidelines, distributions, networks, libraries.

/// Their names without ".json", sorted.
std::vector<std::string> shipped_names(const std::string& kind);
std::string shipped_file(const std::string& kind, const std::string& name);

}  // namespace mpiaudit
