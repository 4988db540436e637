// SPDX-License-Identifier: BSD-3-Clause
#include "audit/hang_limit.h"

#include "options/size_range.h"

namespace mpiaudit {

std::optional<double> hang_limit_s(const RunOptions& options) {
    if (options.hang_after.empty()) return std::nullopt;
    try {
        const double seconds = parse_duration("--hang-after", options.hang_after);
        if (seconds > 0) return seconds;
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
    throw UsageError("--hang-after: 0s is not a valid limit; give 60s, 5m ...");
}

}  // namespace mpiaudit
