// SPDX-License-Identifier: BSD-3-Clause
#include "audit/memory_limit.h"

#include "options/size_range.h"
#include "text/usage_error.h"

namespace mpiaudit {

// So that what was used before a turn is gone, whatever it is that a cache throws out first.
constexpr double times_the_caches = 2.0;

std::uint64_t memory_limit(const RunOptions& options, const Machine& machine) {
    if (options.memory.empty()) return machine.memory_limit_bytes;
    try {
        return parse_bytes("--memory", options.memory);
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
}

Rotation rotation(const RunOptions& options, const Machine& machine) {
    if (options.buffers != rotating) return {};
    if (machine.last_level_cache_bytes == 0.0)
        throw UsageError(
            "--buffers rotate: the size of the last-level cache is not known here; use cold");
    return {.all_bytes = times_the_caches * machine.last_level_cache_bytes,
            .rank_bytes = static_cast<double>(memory_limit(options, machine))};
}

}  // namespace mpiaudit
