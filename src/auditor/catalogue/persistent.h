// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#if defined(MPIAUDIT_HAS_MPIX_PERSISTENT)
#include <mpi-ext.h>
#endif

// How this library spells its persistent collectives: as MPI-4 does, or as Open MPI 4, before they
// were in the standard. Without any they are null, so that they are listed and skipped with the
// reason. No language construct but the preprocessor can spell a name that may not be declared.
#if defined(MPIAUDIT_HAS_MPI4_PERSISTENT)
#define MPIAUDIT_INIT_OF(operation) &MPI_##operation##_init
#elif defined(MPIAUDIT_HAS_MPIX_PERSISTENT)
#define MPIAUDIT_INIT_OF(operation) &MPIX_##operation##_init
#else
#define MPIAUDIT_INIT_OF(operation) nullptr
#endif

namespace mpiaudit::persistent {

inline constexpr auto gather_init = MPIAUDIT_INIT_OF(Gather);
inline constexpr auto gatherv_init = MPIAUDIT_INIT_OF(Gatherv);
inline constexpr auto scatter_init = MPIAUDIT_INIT_OF(Scatter);
inline constexpr auto scatterv_init = MPIAUDIT_INIT_OF(Scatterv);
inline constexpr auto allgather_init = MPIAUDIT_INIT_OF(Allgather);
inline constexpr auto allgatherv_init = MPIAUDIT_INIT_OF(Allgatherv);
inline constexpr auto alltoall_init = MPIAUDIT_INIT_OF(Alltoall);
inline constexpr auto alltoallv_init = MPIAUDIT_INIT_OF(Alltoallv);
inline constexpr auto alltoallw_init = MPIAUDIT_INIT_OF(Alltoallw);
inline constexpr auto bcast_init = MPIAUDIT_INIT_OF(Bcast);
inline constexpr auto reduce_init = MPIAUDIT_INIT_OF(Reduce);
inline constexpr auto allreduce_init = MPIAUDIT_INIT_OF(Allreduce);
inline constexpr auto reduce_scatter_block_init = MPIAUDIT_INIT_OF(Reduce_scatter_block);
inline constexpr auto reduce_scatter_init = MPIAUDIT_INIT_OF(Reduce_scatter);
inline constexpr auto scan_init = MPIAUDIT_INIT_OF(Scan);
inline constexpr auto exscan_init = MPIAUDIT_INIT_OF(Exscan);
inline constexpr auto barrier_init = MPIAUDIT_INIT_OF(Barrier);
inline constexpr auto neighbor_allgather_init = MPIAUDIT_INIT_OF(Neighbor_allgather);
inline constexpr auto neighbor_allgatherv_init = MPIAUDIT_INIT_OF(Neighbor_allgatherv);
inline constexpr auto neighbor_alltoall_init = MPIAUDIT_INIT_OF(Neighbor_alltoall);
inline constexpr auto neighbor_alltoallv_init = MPIAUDIT_INIT_OF(Neighbor_alltoallv);
inline constexpr auto neighbor_alltoallw_init = MPIAUDIT_INIT_OF(Neighbor_alltoallw);

}  // namespace mpiaudit::persistent

#undef MPIAUDIT_INIT_OF
