// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/allgather/processes.h"

namespace mpiaudit {

/// Broadcasts from the process at position 0 along a binomial tree: a process gets the data from
/// the one whose position lacks its lowest bit, and is the root of the positions below that bit.
void broadcast_by_binomial_tree(void* buffer, int count, MPI_Datatype type,
                                const Processes& processes);

}  // namespace mpiaudit
