// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace mpiaudit {

/// What else the node does and how its processors are set, as far as the kernel tells: the load
/// average of the last minute, the frequency governor, whether processor threads share cores (SMT).
/// A key is missing where the kernel does not say.
nlohmann::json node_conditions();

/// What of these conditions makes times less trustworthy, each with its remedy. `ranks`: how many
/// of the audit's ranks run on the node, which a load average during the audit includes.
std::vector<std::string> condition_warnings(const std::string& host,
                                            const nlohmann::json& conditions, int ranks);

/// How often the kernel has moved this process to another processing unit so far; negative when it
/// does not say.
long migrations();

}  // namespace mpiaudit
