// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

#include "../patterns/along_trees.h"

/// Gather algorithms with the signature of their MPI counterpart. They accept all its valid
/// arguments on intracommunicators: any root, counts of zero, any committed datatype, different
/// datatypes of equal signature on the two sides, MPI_IN_PLACE at the root; arguments that are
/// significant at the root only are not read elsewhere. Messages use a duplicate of `comm` and
/// cannot match the caller's; errors of inner MPI calls go to its error handler, which is that of
/// `comm`. "Träff 2017" is "Practical, Linear-time, Fully Distributed Algorithms for Irregular
/// Gather and Scatter".
namespace mpiaudit {

int gather_by(RootedMove move, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
              void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int gatherv_by(RootedMove move, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
               void* recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
               int root, MPI_Comm comm);

// Blocks move up a tree to the root; along_trees.h describes the trees.
inline constexpr auto& linear_Gather = bind_first<gather_by, up<trees::linear>>;
inline constexpr auto& binomial_Gather = bind_first<gather_by, up<trees::knomial<2>>>;
inline constexpr auto& knomial_Gather_radix4 = bind_first<gather_by, up<trees::knomial<4>>>;
inline constexpr auto& node_binomial_Gather = bind_first<gather_by, up<trees::on_nodes<2>>>;
inline constexpr auto& node_knomial_Gather_radix4 = bind_first<gather_by, up<trees::on_nodes<4>>>;
inline constexpr auto& TUW_Gather = bind_first<gather_by, up<trees::ordered<2>>>;
inline constexpr auto& linear_Gatherv = bind_first<gatherv_by, up<trees::linear>>;
inline constexpr auto& binomial_Gatherv = bind_first<gatherv_by, up<trees::knomial<2>>>;
inline constexpr auto& knomial_Gatherv_radix4 = bind_first<gatherv_by, up<trees::knomial<4>>>;
inline constexpr auto& node_binomial_Gatherv = bind_first<gatherv_by, up<trees::on_nodes<2>>>;
inline constexpr auto& node_knomial_Gatherv_radix4 = bind_first<gatherv_by, up<trees::on_nodes<4>>>;
inline constexpr auto& TUW_Gatherv = bind_first<gatherv_by, up<trees::ordered<2>>>;
inline constexpr auto& TUW_Gatherv_k2 = bind_first<gatherv_by, up<trees::ordered<3>>>;
inline constexpr auto& TUW_Gatherv_k3 = bind_first<gatherv_by, up<trees::ordered<4>>>;

/// Bytes of a message that MPI libraries send eagerly.
inline constexpr std::int64_t carried_bytes = 4096;

/// Like TUW_Gatherv, but cubes with at most `most_bytes` of blocks send them with the construction
/// of the tree, to the speaker of the joined cube: small blocks need no further round, and a cube
/// that joins the root's needs no answer. results/reference/TUW-carrying has the bound.
/// `most_bytes` is equal on all ranks and at most carried_bytes.
void gather_carrying(std::int64_t most_bytes, const RootedCall& call);
inline constexpr auto& TUW_Gatherv_carrying =
    bind_first<gatherv_by, bind_first<gather_carrying, carried_bytes>>;

/// Like TUW_Gatherv, but a subtree of at least `threshold_bytes` announces its ranks to the root
/// and sends its data there directly (graceful degradation, proposed in Träff 2017, section 3). The
/// threshold is equal on all ranks.
void gather_degrading(std::int64_t threshold_bytes, const RootedCall& call);
inline constexpr auto& TUW_Gatherv_degrading =
    bind_first<gatherv_by, bind_first<gather_degrading, degrading_threshold_bytes>>;

/// Blocks move up the binomial tree in segments of as many whole blocks as fit into
/// `segment_bytes`, at least one. A rank sends a segment as soon as it is complete; the order of
/// blocks is kept ("binomial with segmentation" in Träff 2017, section 5). The segment size is
/// equal on all ranks.
void gather_in_segments(std::int64_t segment_bytes, const RootedCall& call);
inline constexpr std::int64_t gather_segment_bytes = 65536;
inline constexpr auto& segmented_binomial_Gather =
    bind_first<gather_by, bind_first<gather_in_segments, gather_segment_bytes>>;

}  // namespace mpiaudit
