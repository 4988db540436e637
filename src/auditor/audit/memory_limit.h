// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "machine/machine.h"
#include "measure/protocol.h"
#include "options/options.h"

namespace mpiaudit {

/// What buffers may take per rank, in bytes: --memory, else what the machine allows. Throws
/// UsageError.
std::uint64_t memory_limit(const RunOptions& options, const Machine& machine);

/// Of --buffers rotate. Throws UsageError where the caches are not known.
Rotation rotation(const RunOptions& options, const Machine& machine);

}  // namespace mpiaudit
