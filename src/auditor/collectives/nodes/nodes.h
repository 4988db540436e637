// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../call/bind_first.h"

// Collectives composed on nodes and between nodes, with MPI's signatures: full-lane forms, in which
// each of the n ranks of a node sends 1/n of the data that leave it, and hierarchical forms, in
// which one rank sends all of these data (J. L. Träff, S. Hunold, "Decomposing MPI collectives for
// exploiting multi-lane communication", CLUSTER 2020). Datatypes put blocks in order, without
// copies between the two parts (J. L. Träff, A. Rougier, "MPI Collectives and Datatypes for
// Hierarchical All-to-all Communication", EuroMPI/ASIA 2014). The parts are other algorithms of
// this library, chosen by size; all keep the order of the ranks.
//
// The first call with a communicator creates the communicators of nodes and lanes and keeps them
// with it; make_node_communicators() creates them earlier. If nodes have different numbers of
// ranks, or ranks that are not consecutive, every rank counts as a node.
namespace mpiaudit {

/// The collectives from which others are composed on the communicators of nodes and lanes: the
/// library's, or reference algorithms.
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
    int (*barrier)(MPI_Comm);
};

/// Collectives composed of `parts` on the communicators of this rank's node and lane; the other
/// arguments are those of the collective. Lanes: all ranks of a node carry an equal share of the
/// data between nodes, each on its lane (full-lane). Leaders: one rank of each node carries all
/// (hierarchical). J. L. Träff, S. Hunold, CLUSTER 2020.
template <auto part>
struct Composition;
template <class... Arguments, int (*Parts::*part)(Arguments...)>
struct Composition<part> {
    using Type = int(const Parts& parts, Arguments...);
};
template <auto part>
using CompositionOf = typename Composition<part>::Type;

CompositionOf<&Parts::bcast> bcast_by_lanes, bcast_by_leaders;
CompositionOf<&Parts::reduce> reduce_by_lanes, reduce_by_leaders;
CompositionOf<&Parts::allreduce> allreduce_by_lanes, allreduce_by_leaders;
CompositionOf<&Parts::reduce_scatter_block> reduce_scatter_block_by_lanes,
    reduce_scatter_block_by_leaders;
CompositionOf<&Parts::allgather> allgather_by_lanes, allgather_by_leaders;
CompositionOf<&Parts::gather> gather_by_lanes, gather_by_leaders;
CompositionOf<&Parts::scatter> scatter_by_lanes, scatter_by_leaders;
CompositionOf<&Parts::alltoall> alltoall_by_lanes, alltoall_by_leaders;
CompositionOf<&Parts::scan> scan_by_lanes, scan_by_leaders;
CompositionOf<&Parts::exscan> exscan_by_lanes, exscan_by_leaders;
CompositionOf<&Parts::barrier> barrier_by_lanes, barrier_by_leaders;

/// Reference algorithms chosen by the sizes of the parts.
extern const Parts reference_parts;

/// Creates the communicators of nodes and lanes. Collective.
void make_node_communicators(MPI_Comm comm);

/// Scatters shares on the root's node, broadcasts them on the lanes and allgathers them on every
/// node.
inline constexpr auto& lane_Bcast = bind_first<bcast_by_lanes, reference_parts>;

/// Broadcasts on the root's lane, then from this lane's rank on every node.
inline constexpr auto& hierarchical_Bcast = bind_first<bcast_by_leaders, reference_parts>;

/// Reduce-scatter on every node, reduction of the shares on the lanes, gather on the root's node.
inline constexpr auto& lane_Reduce = bind_first<reduce_by_lanes, reference_parts>;

/// Every node reduces to the rank on the root's lane, then this lane to the root.
inline constexpr auto& hierarchical_Reduce = bind_first<reduce_by_leaders, reference_parts>;

/// Reduce-scatter on every node, allreduce of the shares on the lanes, allgather on every node.
inline constexpr auto& lane_Allreduce = bind_first<allreduce_by_lanes, reference_parts>;

/// Every node reduces to its first rank; these allreduce, and broadcast on their nodes.
inline constexpr auto& hierarchical_Allreduce = bind_first<allreduce_by_leaders, reference_parts>;

/// Reduces the operands for all ranks of a lane on every node, then scatters on the lane.
inline constexpr auto& lane_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by_lanes, reference_parts>;

/// Every node reduces to its first rank; these reduce-scatter, and scatter on their nodes.
inline constexpr auto& hierarchical_Reduce_scatter_block =
    bind_first<reduce_scatter_block_by_leaders, reference_parts>;

/// Allgather on every lane, then allgather of the results on every node.
inline constexpr auto& lane_Allgather = bind_first<allgather_by_lanes, reference_parts>;

/// Gather on every node, allgather of its first ranks, broadcast on every node.
inline constexpr auto& hierarchical_Allgather = bind_first<allgather_by_leaders, reference_parts>;

/// Gather on the lanes to the root's node, then on this one.
inline constexpr auto& lane_Gather = bind_first<gather_by_lanes, reference_parts>;

/// Gather on every node to the root's lane, then on this one.
inline constexpr auto& hierarchical_Gather = bind_first<gather_by_leaders, reference_parts>;

/// Scatter on the root's node, then on the lanes.
inline constexpr auto& lane_Scatter = bind_first<scatter_by_lanes, reference_parts>;

/// Scatter on the root's lane, then on every node.
inline constexpr auto& hierarchical_Scatter = bind_first<scatter_by_leaders, reference_parts>;

/// Sends all blocks for the ranks of a node together on the lanes, then separately on the nodes.
inline constexpr auto& lane_Alltoall = bind_first<alltoall_by_lanes, reference_parts>;

/// Gathers blocks on the first rank of a node; these ranks exchange and scatter them.
inline constexpr auto& hierarchical_Alltoall = bind_first<alltoall_by_leaders, reference_parts>;

/// Lanes compute shares of the preceding nodes' reduction, which is added to a scan on the node.
inline constexpr auto& lane_Scan = bind_first<scan_by_lanes, reference_parts>;

/// The first ranks compute the preceding nodes' reduction, which is added to a scan on the node.
inline constexpr auto& hierarchical_Scan = bind_first<scan_by_leaders, reference_parts>;

/// lane_Scan with an exclusive scan on the node.
inline constexpr auto& lane_Exscan = bind_first<exscan_by_lanes, reference_parts>;

/// hierarchical_Scan with an exclusive scan on the node.
inline constexpr auto& hierarchical_Exscan = bind_first<exscan_by_leaders, reference_parts>;

/// Barrier on every node, then on the lanes.
inline constexpr auto& lane_Barrier = bind_first<barrier_by_lanes, reference_parts>;

/// Barrier on every node, then of the first ranks of the nodes, then on every node again.
inline constexpr auto& hierarchical_Barrier = bind_first<barrier_by_leaders, reference_parts>;

}  // namespace mpiaudit
