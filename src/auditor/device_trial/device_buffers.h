// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "memory/memory_kind.h"

namespace mpiaudit {

/// Makes the devices of --memory-kind usable on every rank. Does nothing if all buffers are in the
/// memory of the host. Throws UsageError on all ranks alike if the MPI library does not support
/// such buffers, or if a rank has no device. Collective over audited_ranks().
void use_devices(MemoryKinds kinds);

/// Returns sentences that a user should read before believing times or results with buffers of
/// these kinds. Call this function on one rank, after use_devices().
std::vector<std::string> device_warnings(MemoryKinds kinds);

}  // namespace mpiaudit
