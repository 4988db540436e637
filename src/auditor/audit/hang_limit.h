// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "options/options.h"

namespace mpiaudit {

/// --hang-after in seconds, if it is given. Throws UsageError.
std::optional<double> hang_limit_s(const RunOptions& options);

}  // namespace mpiaudit
