// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "../patterns/along_trees.h"

/// Scatter algorithms with the signature of their MPI counterpart. The description of arguments,
/// messages and errors in gather.h applies to them, too.
namespace mpiaudit {

int scatter_by(RootedMove move, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
               void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int scatterv_by(RootedMove move, const void* sendbuf, const int sendcounts[], const int displs[],
                MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                int root, MPI_Comm comm);

// Blocks move down the trees of gathers from the root.
inline constexpr auto& linear_Scatter = bind_first<scatter_by, down<trees::linear>>;
inline constexpr auto& binomial_Scatter = bind_first<scatter_by, down<trees::knomial<2>>>;
inline constexpr auto& knomial_Scatter_radix4 = bind_first<scatter_by, down<trees::knomial<4>>>;
inline constexpr auto& TUW_Scatter = bind_first<scatter_by, down<trees::ordered<2>>>;
inline constexpr auto& linear_Scatterv = bind_first<scatterv_by, down<trees::linear>>;
inline constexpr auto& binomial_Scatterv = bind_first<scatterv_by, down<trees::knomial<2>>>;
inline constexpr auto& knomial_Scatterv_radix4 = bind_first<scatterv_by, down<trees::knomial<4>>>;
inline constexpr auto& TUW_Scatterv = bind_first<scatterv_by, down<trees::ordered<2>>>;
inline constexpr auto& TUW_Scatterv_k2 = bind_first<scatterv_by, down<trees::ordered<3>>>;
inline constexpr auto& TUW_Scatterv_k3 = bind_first<scatterv_by, down<trees::ordered<4>>>;

/// Like TUW_Scatterv, but a subtree of at least `threshold_bytes` announces its ranks to the root,
/// which sends its data directly (graceful degradation, the mirror of TUW_Gatherv_degrading). The
/// threshold is equal on all ranks.
void scatter_degrading(std::int64_t threshold_bytes, const RootedCall& call);
inline constexpr auto& TUW_Scatterv_degrading =
    bind_first<scatterv_by, bind_first<scatter_degrading, degrading_threshold_bytes>>;

}  // namespace mpiaudit
