// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"

namespace mpiaudit {

/// One rank's view of a gather or scatter operation in progress: its arguments, of which only those
/// are read that MPI declares significant on this rank, and what follows from them.
struct RootedCall {
    Ranks ranks;  ///< Counted from the root.
    bool is_in_place;
    TypedBuffer own;         ///< This rank's block; at the root with MPI_IN_PLACE meaningless.
    std::int64_t own_bytes;  ///< Also with MPI_IN_PLACE.
    Blocks blocks;           ///< All blocks; only at the root.
    bool is_regular;         ///< All blocks have the size of the own one.
    MPI_Comm callers;

    int root() const { return ranks.first; }
    bool is_root() const { return ranks.rank == ranks.first; }
};

/// With the arguments of MPI_Gatherv.
RootedCall gatherv_call(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                        MPI_Comm comm);

/// With the arguments of MPI_Gather.
RootedCall gather_call(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/// With the arguments of MPI_Scatterv.
RootedCall scatterv_call(const void* sendbuf, const int sendcounts[], const int displs[],
                         MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                         int root, MPI_Comm comm);

/// With the arguments of MPI_Scatter.
RootedCall scatter_call(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);

/// At the root: puts its own block into its place among the blocks, unless it is there already.
void place_own_block(const RootedCall& call);

/// At the root: takes its own block out of the blocks, unless it shall stay there.
void take_own_block(const RootedCall& call);

}  // namespace mpiaudit
