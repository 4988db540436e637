// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "machine/machine_description.h"

namespace mpiaudit {

/// Of the node of this rank, as far as the kernel tells.
NodeConditions node_conditions();

/// What of these conditions makes times less trustworthy, each with its remedy. `ranks`: how many
/// of the audit's ranks run on the node, which a load average during the audit includes.
std::vector<std::string> condition_warnings(const std::string& host,
                                            const NodeConditions& conditions, int ranks);

/// How often the kernel has moved this process to another processing unit so far; negative when it
/// does not say.
long migrations();

}  // namespace mpiaudit
