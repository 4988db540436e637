// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"

namespace mpiaudit {

// The exchanges of allgather by themselves: block q is in place at the rank at position q,
// afterwards all blocks are in place at every rank. The van de Geijn broadcast and the long-vector
// allreduce end with them.
void replicate_by_ring(const Blocks& blocks, const Ranks& ranks);
void replicate_by_recursive_doubling(const Blocks& blocks, const Ranks& ranks);

/// Passes what the first `upper` ranks of the lower half of a subtree, positions tree to tree +
/// mask - 1, got from its incomplete upper half on to the others of the lower half, which have no
/// partner there. The number of those that have it doubles with every step (Thakur & Gropp 4.1).
void pass_on_in_lower_half(const TypedBuffer& upper_half, int tree, int mask, int upper,
                           const Ranks& ranks);

using Replicate = void(const Blocks& blocks, const Ranks& ranks);

/// MPI_Allgather and MPI_Allgatherv by an exchange of blocks: copies the caller's contribution into
/// its place, unless it is there already (MPI_IN_PLACE), and starts the exchange.
int allgather_by(Replicate replicate, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int allgatherv_by(Replicate replicate, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                  void* recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                  MPI_Comm comm);

}  // namespace mpiaudit
