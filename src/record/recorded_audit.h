// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "options/options.h"
#include "record/samples_file.h"

namespace mpiaudit {

/// The samples of the audit in a folder. Throws UsageError when there are none.
SamplesFile read_results(const std::string& folder);

/// How an audit was judged, from the "rule" of its header.
judge::Rule recorded_rule(const nlohmann::json& recorded);

}  // namespace mpiaudit
