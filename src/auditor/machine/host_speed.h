// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>

#include "machine/machine_description.h"

namespace mpiaudit {

/// What two processes of this node reach through memory that they share, without the MPI library:
/// what its messages within a node are to be held against. Nothing on a node with one rank, or
/// where processes cannot share memory. On the first rank of the node, elsewhere nothing.
/// Collective over the communicator of the node; takes a few milliseconds.
std::optional<HostSpeed> measure_host_speed(MPI_Comm node);

}  // namespace mpiaudit
