// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "record/launches.h"

namespace mpiaudit {

/// The audits in the folders, with a warning where the end of one is lost. Throws UsageError.
std::vector<NamedAudit> read_launches(const std::vector<std::string>& folders);

}  // namespace mpiaudit
