// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/allgather/processes.h"

namespace mpiaudit {

/// Copies `from_count` elements of `from_type` onto `to_count` elements of `to_type` with the same
/// type signature; the gaps of `to_type` stay as they are. A message of the process to itself
/// unless both sides are the same memory layout without gaps.
void local_copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
                MPI_Datatype to_type, const Processes& processes);

}  // namespace mpiaudit
