// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "paths/paths.h"

/// Collectives made of others: each with the signature of the collective after its terms. The
/// functions of the terms have the signatures that the comments name. All return the first code
/// that is none of success.
namespace mpiaudit::paths {

int gather_by_gatherv(const Terms&, const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int,
                      MPI_Comm);
int gather_by_allgather(const Terms&, const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int,
                        MPI_Comm);
int gatherv_padded(const Terms&, const void*, int, MPI_Datatype, void*, const int*, const int*,
                   MPI_Datatype, int, MPI_Comm);
int scatter_by_scatterv(const Terms&, const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int,
                        MPI_Comm);
int scatter_by_bcast(const Terms&, const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int,
                     MPI_Comm);
int scatterv_padded(const Terms&, const void*, const int*, const int*, MPI_Datatype, void*, int,
                    MPI_Datatype, int, MPI_Comm);
int allgather_by_allgatherv(const Terms&, const void*, int, MPI_Datatype, void*, int, MPI_Datatype,
                            MPI_Comm);
int allgather_by_gather_bcast(const Terms&, const void*, int, MPI_Datatype, void*, int,
                              MPI_Datatype, MPI_Comm);
int allgatherv_by_gatherv_bcast(const Terms&, const void*, int, MPI_Datatype, void*, const int*,
                                const int*, MPI_Datatype, MPI_Comm);
int allgatherv_padded(const Terms&, const void*, int, MPI_Datatype, void*, const int*, const int*,
                      MPI_Datatype, MPI_Comm);
int alltoall_by_alltoallv(const Terms&, const void*, int, MPI_Datatype, void*, int, MPI_Datatype,
                          MPI_Comm);
int barrier_by_allreduce(const Terms&, MPI_Comm);
int bcast_by_scatterv_allgatherv(const Terms&, void*, int, MPI_Datatype, int, MPI_Comm);
int allreduce_by_reduce_bcast(const Terms&, const void*, void*, int, MPI_Datatype, MPI_Op,
                              MPI_Comm);
int allreduce_by_reduce_scatter_allgatherv(const Terms&, const void*, void*, int, MPI_Datatype,
                                           MPI_Op, MPI_Comm);
int reduce_by_allreduce(const Terms&, const void*, void*, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
int reduce_scatter_by_reduce_scatterv(const Terms&, const void*, void*, const int*, MPI_Datatype,
                                      MPI_Op, MPI_Comm);
int reduce_scatter_by_allreduce(const Terms&, const void*, void*, const int*, MPI_Datatype, MPI_Op,
                                MPI_Comm);
int reduce_scatter_block_by_reduce_scatter(const Terms&, const void*, void*, int, MPI_Datatype,
                                           MPI_Op, MPI_Comm);
int reduce_scatter_block_by_reduce_then_scatter(const Terms&, const void*, void*, int, MPI_Datatype,
                                                MPI_Op, MPI_Comm);
int scan_by_exscan(const Terms&, const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);

}  // namespace mpiaudit::paths
