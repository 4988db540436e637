// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "record/launches.h"

namespace mpiaudit {

/// The folder of an audit, and those of the launches that confirm it in there: confirmation,
/// confirmation-1 and so on, where jobs/local puts them.
std::vector<std::string> with_confirmations(const std::string& folder);

/// The audits in the folders, with a warning where the end of one is lost. Throws UsageError.
std::vector<NamedAudit> read_launches(const std::vector<std::string>& folders);

}  // namespace mpiaudit
