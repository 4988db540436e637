// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "machine/machine_description.h"

namespace mpiaudit {

/// Their names and ranks, in the order of their first ranks. \param names by rank
std::vector<Host> hosts_of(const std::vector<std::string>& names);

}  // namespace mpiaudit
