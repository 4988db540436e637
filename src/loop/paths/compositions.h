// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "paths/paths.h"

/// Collectives made of others: each with the signature of the collective after its terms. All
/// return the first code that is none of success.
namespace mpiaudit::paths {

Composed<PMPI_Gather> gather_by_gatherv;
Composed<PMPI_Gather> gather_by_allgather;
Composed<PMPI_Gatherv> gatherv_padded;
Composed<PMPI_Scatter> scatter_by_scatterv;
Composed<PMPI_Scatter> scatter_by_bcast;
Composed<PMPI_Scatterv> scatterv_padded;
Composed<PMPI_Allgather> allgather_by_allgatherv;
Composed<PMPI_Allgather> allgather_by_gather_bcast;
Composed<PMPI_Allgatherv> allgatherv_by_gatherv_bcast;
Composed<PMPI_Allgatherv> allgatherv_padded;
Composed<PMPI_Alltoall> alltoall_by_alltoallv;
Composed<PMPI_Barrier> barrier_by_allreduce;
Composed<PMPI_Bcast> bcast_by_scatterv_allgatherv;
Composed<PMPI_Allreduce> allreduce_by_reduce_bcast;
Composed<PMPI_Allreduce> allreduce_by_reduce_scatter_allgatherv;
Composed<PMPI_Reduce> reduce_by_allreduce;
Composed<PMPI_Reduce_scatter> reduce_scatter_by_reduce_scatterv;
Composed<PMPI_Reduce_scatter> reduce_scatter_by_allreduce;
Composed<PMPI_Reduce_scatter_block> reduce_scatter_block_by_reduce_scatter;
Composed<PMPI_Reduce_scatter_block> reduce_scatter_block_by_reduce_then_scatter;
Composed<PMPI_Scan> scan_by_exscan;

}  // namespace mpiaudit::paths
