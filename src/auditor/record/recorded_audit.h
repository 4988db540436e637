// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "judge/verdict.h"
#include "record/samples_file.h"

namespace mpiaudit {

/// The samples of the audit in a folder. Throws UsageError when there are none, or damaged ones.
SamplesFile read_results(const std::string& folder);

/// How an audit was judged.
judge::Rule recorded_rule(const record::RuleRecord& recorded);

}  // namespace mpiaudit
