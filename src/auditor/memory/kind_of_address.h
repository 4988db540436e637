// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "memory/memory_kind.h"

namespace mpiaudit {

/// Returns the kind of memory at an address of any code of this process. Asks only libraries of
/// vendors that the process has loaded already, and loads none; without such a library every
/// address is on the host. Not for several threads at the same time.
MemoryKind kind_of_address(const void* address);

}  // namespace mpiaudit
