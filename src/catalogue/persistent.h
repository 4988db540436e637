// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>

#if defined(MPIAUDIT_HAS_MPIX_PERSISTENT)
#include <mpi-ext.h>
#endif

/// The persistent collectives of this library: those of MPI-4, or those that Open MPI 4 offers
/// under other names; null where there are none, so that they are listed and skipped with the
/// reason.
namespace mpiaudit::persistent {

#if defined(MPIAUDIT_HAS_MPI4_PERSISTENT)
inline constexpr auto gather_init = &MPI_Gather_init;
inline constexpr auto gatherv_init = &MPI_Gatherv_init;
inline constexpr auto scatter_init = &MPI_Scatter_init;
inline constexpr auto scatterv_init = &MPI_Scatterv_init;
inline constexpr auto allgather_init = &MPI_Allgather_init;
inline constexpr auto allgatherv_init = &MPI_Allgatherv_init;
inline constexpr auto alltoall_init = &MPI_Alltoall_init;
inline constexpr auto alltoallv_init = &MPI_Alltoallv_init;
inline constexpr auto alltoallw_init = &MPI_Alltoallw_init;
inline constexpr auto bcast_init = &MPI_Bcast_init;
inline constexpr auto reduce_init = &MPI_Reduce_init;
inline constexpr auto allreduce_init = &MPI_Allreduce_init;
inline constexpr auto reduce_scatter_block_init = &MPI_Reduce_scatter_block_init;
inline constexpr auto reduce_scatter_init = &MPI_Reduce_scatter_init;
inline constexpr auto scan_init = &MPI_Scan_init;
inline constexpr auto exscan_init = &MPI_Exscan_init;
inline constexpr auto barrier_init = &MPI_Barrier_init;
#elif defined(MPIAUDIT_HAS_MPIX_PERSISTENT)
inline constexpr auto gather_init = &MPIX_Gather_init;
inline constexpr auto gatherv_init = &MPIX_Gatherv_init;
inline constexpr auto scatter_init = &MPIX_Scatter_init;
inline constexpr auto scatterv_init = &MPIX_Scatterv_init;
inline constexpr auto allgather_init = &MPIX_Allgather_init;
inline constexpr auto allgatherv_init = &MPIX_Allgatherv_init;
inline constexpr auto alltoall_init = &MPIX_Alltoall_init;
inline constexpr auto alltoallv_init = &MPIX_Alltoallv_init;
inline constexpr auto alltoallw_init = &MPIX_Alltoallw_init;
inline constexpr auto bcast_init = &MPIX_Bcast_init;
inline constexpr auto reduce_init = &MPIX_Reduce_init;
inline constexpr auto allreduce_init = &MPIX_Allreduce_init;
inline constexpr auto reduce_scatter_block_init = &MPIX_Reduce_scatter_block_init;
inline constexpr auto reduce_scatter_init = &MPIX_Reduce_scatter_init;
inline constexpr auto scan_init = &MPIX_Scan_init;
inline constexpr auto exscan_init = &MPIX_Exscan_init;
inline constexpr auto barrier_init = &MPIX_Barrier_init;
#else
inline constexpr std::nullptr_t gather_init = nullptr;
inline constexpr std::nullptr_t gatherv_init = nullptr;
inline constexpr std::nullptr_t scatter_init = nullptr;
inline constexpr std::nullptr_t scatterv_init = nullptr;
inline constexpr std::nullptr_t allgather_init = nullptr;
inline constexpr std::nullptr_t allgatherv_init = nullptr;
inline constexpr std::nullptr_t alltoall_init = nullptr;
inline constexpr std::nullptr_t alltoallv_init = nullptr;
inline constexpr std::nullptr_t alltoallw_init = nullptr;
inline constexpr std::nullptr_t bcast_init = nullptr;
inline constexpr std::nullptr_t reduce_init = nullptr;
inline constexpr std::nullptr_t allreduce_init = nullptr;
inline constexpr std::nullptr_t reduce_scatter_block_init = nullptr;
inline constexpr std::nullptr_t reduce_scatter_init = nullptr;
inline constexpr std::nullptr_t scan_init = nullptr;
inline constexpr std::nullptr_t exscan_init = nullptr;
inline constexpr std::nullptr_t barrier_init = nullptr;
#endif

}  // namespace mpiaudit::persistent
