// SPDX-License-Identifier: BSD-3-Clause
#include "audit/memory_limit.h"

#include "options/size_range.h"
#include "text/usage_error.h"

namespace mpiaudit {

std::uint64_t memory_limit(const RunOptions& options, const Machine& machine) {
    if (options.memory.empty()) return machine.memory_limit_bytes;
    try {
        return parse_bytes("--memory", options.memory);
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
}

}  // namespace mpiaudit
