// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "machine/machine.h"
#include "measure/protocol.h"
#include "options/options.h"

namespace mpiaudit {

/// --hang-after in seconds, if it is given.
std::optional<double> hang_limit_s(const AsGiven<Seconds>& hang_after);

/// What buffers may take per rank, in bytes: --memory, else what the machine allows.
std::uint64_t memory_limit(const AsGiven<Bytes>& memory, const Machine& machine);

/// Of --buffers rotate. Throws UsageError where the caches are not known.
Rotation rotation(BufferChoice buffers, std::uint64_t memory_bytes, const Machine& machine);

}  // namespace mpiaudit
