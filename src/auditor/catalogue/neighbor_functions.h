// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "catalogue/persistent.h"

// The neighbourhood collectives, null where this library lacks them: SMPI declares what it has not.
// As with persistent operations no language construct but the preprocessor will do.
#if defined(SMPI_H)
#define MPIAUDIT_NEIGHBOR(name) nullptr
#else
#define MPIAUDIT_NEIGHBOR(name) &MPI_##name
#endif

namespace mpiaudit::neighbor {

inline constexpr auto allgather = MPIAUDIT_NEIGHBOR(Neighbor_allgather);
inline constexpr auto allgatherv = MPIAUDIT_NEIGHBOR(Neighbor_allgatherv);
inline constexpr auto alltoall = MPIAUDIT_NEIGHBOR(Neighbor_alltoall);
inline constexpr auto alltoallv = MPIAUDIT_NEIGHBOR(Neighbor_alltoallv);
inline constexpr auto alltoallw = MPIAUDIT_NEIGHBOR(Neighbor_alltoallw);
inline constexpr auto iallgather = MPIAUDIT_NEIGHBOR(Ineighbor_allgather);
inline constexpr auto iallgatherv = MPIAUDIT_NEIGHBOR(Ineighbor_allgatherv);
inline constexpr auto ialltoall = MPIAUDIT_NEIGHBOR(Ineighbor_alltoall);
inline constexpr auto ialltoallv = MPIAUDIT_NEIGHBOR(Ineighbor_alltoallv);
inline constexpr auto ialltoallw = MPIAUDIT_NEIGHBOR(Ineighbor_alltoallw);
inline constexpr auto allgather_init = persistent::neighbor_allgather_init;
inline constexpr auto allgatherv_init = persistent::neighbor_allgatherv_init;
inline constexpr auto alltoall_init = persistent::neighbor_alltoall_init;
inline constexpr auto alltoallv_init = persistent::neighbor_alltoallv_init;
inline constexpr auto alltoallw_init = persistent::neighbor_alltoallw_init;

}  // namespace mpiaudit::neighbor

#undef MPIAUDIT_NEIGHBOR
