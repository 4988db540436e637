// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

#include "../patterns/along_trees.h"

/// Gather algorithms with the signature of their MPI counterpart, to be called instead of it. They
/// accept what it accepts on intracommunicators: any root, counts of zero, any committed datatype,
/// different datatypes of equal signature on the two sides, MPI_IN_PLACE at the root; arguments
/// that are significant at the root only are not read elsewhere. Messages travel on a duplicate of
/// `comm` and cannot meet the caller's; errors of the MPI calls inside go to its error handler,
/// which is that of `comm`.
/// "Träff 2017" is "Practical, Linear-time, Fully Distributed Algorithms for Irregular Gather and
/// Scatter".
namespace mpiaudit {

int gather_by(RootedMove move, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
              void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int gatherv_by(RootedMove move, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
               void* recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
               int root, MPI_Comm comm);

// Blocks move up a tree to the root; along_trees.h says which.
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

/// As long as a message that MPI libraries send without asking the receiver.
inline constexpr std::int64_t carried_bytes = 4096;

/// As TUW_Gatherv, but the blocks of a cube that are at most `most_bytes` together travel with the
/// construction of the tree, to the rank that speaks for the joined cube: small blocks need no
/// further round, and a cube that meets the root's no answer. docs/cost-model.md has the bound.
/// The limit is the same on all ranks, and no more than carried_bytes.
void gather_carrying(std::int64_t most_bytes, const RootedCall& call);
inline constexpr auto& TUW_Gatherv_carrying =
    bind_first<gatherv_by, bind_first<gather_carrying, carried_bytes>>;

/// As TUW_Gatherv, but a subtree of at least `threshold_bytes` sends its data directly to the root,
/// to which it announces its ranks (graceful degradation: Träff 2017, section 3, where it is
/// proposed). The threshold is the same on all ranks.
void gather_degrading(std::int64_t threshold_bytes, const RootedCall& call);
inline constexpr auto& TUW_Gatherv_degrading =
    bind_first<gatherv_by, bind_first<gather_degrading, degrading_threshold_bytes>>;

/// Blocks move up the binomial tree in segments of as many whole blocks as fit into
/// `segment_bytes`, at least one, and a rank passes a segment on as soon as it is complete: the
/// order of blocks is kept and no element is cut ("binomial with segmentation" in Träff 2017,
/// section 5). The segment size is the same on all ranks.
void gather_in_segments(std::int64_t segment_bytes, const RootedCall& call);
inline constexpr std::int64_t gather_segment_bytes = 65536;
inline constexpr auto& segmented_binomial_Gather =
    bind_first<gather_by, bind_first<gather_in_segments, gather_segment_bytes>>;

}  // namespace mpiaudit
