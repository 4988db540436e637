// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace mpiaudit {

/// The collectives of which others are put together on the communicators of nodes and lanes: those
/// of the library, or reference algorithms.
struct Parts {
    int (*bcast)(void*, int, MPI_Datatype, int, MPI_Comm);
    int (*reduce)(const void*, void*, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
    int (*allreduce)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
    int (*reduce_scatter)(const void*, void*, const int[], MPI_Datatype, MPI_Op, MPI_Comm);
    int (*reduce_scatter_block)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
    int (*allgather)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
    int (*allgatherv)(const void*, int, MPI_Datatype, void*, const int[], const int[], MPI_Datatype,
                      MPI_Comm);
    int (*gather)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm);
    int (*gatherv)(const void*, int, MPI_Datatype, void*, const int[], const int[], MPI_Datatype,
                   int, MPI_Comm);
    int (*scatter)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm);
    int (*scatterv)(const void*, const int[], const int[], MPI_Datatype, void*, int, MPI_Datatype,
                    int, MPI_Comm);
    int (*alltoall)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
    int (*scan)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
    int (*exscan)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
};

/// Reference algorithms that go with the sizes of the parts.
extern const Parts reference_parts;

}  // namespace mpiaudit
