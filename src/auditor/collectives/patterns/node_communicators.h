// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "messages/owned.h"

namespace mpiaudit {

/// Returns a communicator of the ranks with this rank's processor name. MPI_COMM_TYPE_SHARED would
/// depend on the memory that the library can share: every rank is alone in MPICH 5 over UCX (its
/// issue 7814). Collective.
OwnedComm ranks_of_processor(MPI_Comm comm);

/// The distribution of a communicator's ranks over nodes.
struct NodeSplit {
    int nodes = 1;
    /// Ranks on every node, with consecutive numbers; 0 if nodes have different numbers of ranks or
    /// ranks of a node are not consecutive.
    int ranks_per_node = 0;
    /// Node of each rank; nodes are numbered by their first ranks. Empty: a single node.
    std::vector<int> node_of_rank = {};
    /// consecutive_ranks() of node_of_rank; suffices for the cost model.
    int width = 0;

    /// Returns true if rank numbers determine the nodes.
    bool has_rows() const { return nodes > 1 && width > 0; }
    /// Returns true if both communicators of a rank, its node's and its lane's, have other members.
    bool has_lanes() const { return nodes > 1 && ranks_per_node > 1; }
};

/// Makes every `ranks` consecutive ranks of any communicator count as a node; 0: ranks with one
/// processor name. Call this function on all ranks before node_split().
void set_ranks_per_node(int ranks);

/// Returns the number of consecutive ranks of every node (the last may have fewer); 0 if nodes
/// differ or the list is empty.
int consecutive_ranks(std::span<const int> node_of_rank);

/// Returns the split of `ranks` ranks into nodes of `ranks_per_node` consecutive ranks.
NodeSplit consecutive_nodes(int ranks_per_node, int ranks);

/// Returns the split, which is kept with the communicator. Collective at the first call.
const NodeSplit& node_split(MPI_Comm comm);

/// Makes every `ranks_per_node` consecutive ranks of this communicator count as a node.
void divide_into_nodes(MPI_Comm comm, int ranks_per_node);

/// A rank's communicators for collectives composed of parts on nodes and parts between nodes (J. L.
/// Träff, S. Hunold, "Decomposing MPI collectives for exploiting multi-lane communication", CLUSTER
/// 2020).
struct NodeCommunicators {
    MPI_Comm node;       ///< the ranks of this rank's node
    MPI_Comm lane;       ///< the ranks with this rank's place, one per node
    int nodes;           ///< the size of a lane
    int ranks_per_node;  ///< the size of a node
    int node_number;     ///< this rank's number in its lane
    int place;           ///< this rank's number on its node

    int node_of(int rank) const { return rank / ranks_per_node; }
    int place_of(int rank) const { return rank % ranks_per_node; }
};

/// Returns the communicators, which are created once, kept with `comm` and freed with it. If
/// ranks_per_node is 0, every rank counts as a node. Collective at the first call.
const NodeCommunicators& node_communicators(MPI_Comm comm);

}  // namespace mpiaudit
