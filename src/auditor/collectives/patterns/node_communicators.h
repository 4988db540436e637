// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "messages/owned.h"

namespace mpiaudit {

/// The ranks with the processor name of this one. MPI_COMM_TYPE_SHARED asks what memory the library
/// can share: in MPICH 5 over UCX every rank is alone (its issue 7814). Collective.
OwnedComm ranks_of_processor(MPI_Comm comm);

/// How the ranks of a communicator are spread over nodes.
struct NodeSplit {
    int nodes = 1;
    /// That are on every node, with consecutive numbers; 0 where nodes have different numbers of
    /// ranks, or ranks of one node are not neighbours.
    int ranks_per_node = 0;
    /// Of each rank; nodes are numbered as their first ranks are. Empty: all ranks are on one.
    std::vector<int> node_of_rank = {};
    /// What consecutive_ranks() says of them. Enough for the cost model.
    int width = 0;

    /// Whether nodes can be told by the numbers of ranks.
    bool has_rows() const { return nodes > 1 && width > 0; }
    /// Whether both communicators of a rank, that of its node and its lane, have others in them.
    bool has_lanes() const { return nodes > 1 && ranks_per_node > 1; }
};

/// From here on every `ranks` consecutive ranks of a communicator pass for a node; 0: ranks with
/// one processor name do. The same on all ranks, before any communicator is asked about.
void set_ranks_per_node(int ranks);

/// How many consecutive ranks every node has but the last, which may have fewer; 0 where it is
/// otherwise, or there is nothing to tell nodes by.
int consecutive_ranks(std::span<const int> node_of_rank);

/// That of `ranks` ranks of which every `ranks_per_node` consecutive ones are a node.
NodeSplit consecutive_nodes(int ranks_per_node, int ranks);

/// Kept with the communicator. Collective at the first call.
const NodeSplit& node_split(MPI_Comm comm);

/// From here on every `ranks_per_node` consecutive ranks of this communicator pass for a node.
void divide_into_nodes(MPI_Comm comm, int ranks_per_node);

/// The communicators of a rank for collectives that are put together of parts on the nodes and
/// parts between them (J. L. Träff, S. Hunold, "Decomposing MPI collectives for exploiting
/// multi-lane communication", CLUSTER 2020).
struct NodeCommunicators {
    MPI_Comm node;       ///< the ranks of its node
    MPI_Comm lane;       ///< the ranks with its place on the other nodes, and itself
    int nodes;           ///< the size of a lane
    int ranks_per_node;  ///< the size of a node
    int node_number;     ///< this rank's in its lane
    int place;           ///< this rank's on its node

    int node_of(int rank) const { return rank / ranks_per_node; }
    int place_of(int rank) const { return rank % ranks_per_node; }
};

/// Where ranks_per_node is 0 every rank passes for a node, so that what is put together of parts is
/// its part on all ranks. Made once, kept with the communicator and freed with it. Collective at
/// the first call.
const NodeCommunicators& node_communicators(MPI_Comm comm);

}  // namespace mpiaudit
