// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "options/option_value.h"
#include "options/options.h"

namespace mpiaudit {

/// How somebody has measured and judged: what --protocol sets where nothing else is given.
struct NamedProtocol {
    const char* name;
    OptionValues (*options)();
};
/// Of another product than the auditor, which has none.
void join_protocols(std::span<const NamedProtocol> protocols);

/// The names that --protocol takes: "none", and those that have joined.
std::vector<std::string> protocol_names();

/// Sets what --protocol means, where the command line says nothing else; these count as given.
void settle_protocol(RunOptions& run);

}  // namespace mpiaudit
