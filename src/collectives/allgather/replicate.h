// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/allgather/blocks.h"
#include "collectives/allgather/processes.h"

namespace mpiaudit {

// The exchanges of allgather by themselves: block q of `buffer` is in place at the process at
// position q, afterwards all blocks are in place at every process. The van de Geijn broadcast and
// the long-vector allreduce end with them.
void replicate_by_ring(void* buffer, const Blocks& blocks, const Processes& processes);
void replicate_by_recursive_doubling(void* buffer, const Blocks& blocks,
                                     const Processes& processes);

/// Passes what the first `upper` processes of the lower half of a subtree, positions tree to tree +
/// mask - 1, got from its incomplete upper half on to the others of the lower half, which have no
/// partner there. The number of those that have it doubles with every step (Thakur & Gropp 4.1).
void pass_on_in_lower_half(void* buffer, const Message& upper_half, int tree, int mask, int upper,
                           const Processes& processes);

using Replicate = void(void* buffer, const Blocks& blocks, const Processes& processes);

/// MPI_Allgather and MPI_Allgatherv by an exchange of blocks: copies the caller's contribution into
/// its place, unless it is there already (MPI_IN_PLACE), and starts the exchange.
int allgather_by(Replicate replicate, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int allgatherv_by(Replicate replicate, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                  void* recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                  MPI_Comm comm);

}  // namespace mpiaudit
