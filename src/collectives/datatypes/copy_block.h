// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

#include "collectives/datatypes/typed_buffer.h"

namespace mpiaudit {

/// Copies `bytes` bytes of data within this rank from one typed buffer to another of equal
/// signature: memcpy where both datatypes are dense, else a message to oneself. It
/// goes over the (private) communicator of the running collective operation, not over
/// MPI_COMM_SELF, on which operations of other threads might be copying at the same time.
void copy_block(const TypedBuffer& from, const TypedBuffer& to, std::int64_t bytes,
                MPI_Comm private_comm, int tag);

}  // namespace mpiaudit
