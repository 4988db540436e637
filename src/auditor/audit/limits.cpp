// SPDX-License-Identifier: BSD-3-Clause
#include "audit/limits.h"

#include "text/exit_code.h"

namespace mpiaudit {

// So that what was used before a turn is gone, whatever it is that a cache throws out first.
constexpr double times_the_caches = 2.0;

std::optional<double> hang_limit_s(const AsGiven<Seconds>& hang_after) {
    if (hang_after.empty()) return std::nullopt;
    return hang_after->count;
}

std::uint64_t memory_limit(const AsGiven<Bytes>& memory, const Machine& machine) {
    return memory.empty() ? machine.memory_limit_bytes : memory->count;
}

Rotation rotation(BufferChoice buffers, std::uint64_t memory_bytes, const Machine& machine) {
    if (buffers != BufferChoice::rotate) return {};
    if (machine.last_level_cache_bytes == 0.0)
        throw UsageError(
            "--buffers rotate: the size of the last-level cache is not known here; use cold");
    return {.all_bytes = times_the_caches * machine.last_level_cache_bytes,
            .rank_bytes = static_cast<double>(memory_bytes)};
}

}  // namespace mpiaudit
