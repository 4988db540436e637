// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"

namespace mpiaudit {

/// A reduce-scatter algorithm: the buffer of the blocks has this rank's operands, which stay as
/// they are unless it is `recvbuf` (MPI_IN_PLACE); block `rank` of the reduction goes to `recvbuf`.
using ReduceScatter = int(const Blocks& blocks, void* recvbuf, MPI_Op op, const Ranks& ranks);

ReduceScatter reduce_scatter_by_recursive_halving;
ReduceScatter reduce_scatter_by_recursive_doubling;
ReduceScatter reduce_scatter_by_pairwise_exchange;

/// MPI_Reduce_scatter and MPI_Reduce_scatter_block by an algorithm.
int reduce_scatter_by(ReduceScatter algorithm, const void* sendbuf, void* recvbuf,
                      const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int reduce_scatter_block_by(ReduceScatter algorithm, const void* sendbuf, void* recvbuf,
                            int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/// Whether MPI_Reduce_local, which counts elements with an int, can take all blocks at once. The
/// same on all ranks.
bool fits_reduce_local(const Blocks& blocks);

}  // namespace mpiaudit
