// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>
#include <string_view>
#include <vector>

#include "problem/graph.h"
#include "problem/operator.h"

namespace mpiaudit {

/// The origin of a communicator of all ranks, or the order of its ranks. A correct library could
/// renumber ranks inside, so that none of these makes a difference.
enum class Origin {
    given,         ///< the communicator on which all other operations run
    world,         ///< MPI_COMM_WORLD itself
    duplicate,     ///< MPI_Comm_dup
    split,         ///< MPI_Comm_split with one color
    create_group,  ///< MPI_Comm_create_group of its own group
    merged,        ///< MPI_Intercomm_merge of the first half of the ranks and the second one
    session,       ///< MPI_Comm_create_from_group of the process set mpi://WORLD
    rectangle,     ///< a duplicate whose rows of the nearest rectangle pass for nodes
    reversed,      ///< rank p-1 first
    rotated,       ///< rank floor(p/2) first
    shuffled,      ///< a random order, the same in every run
    node_by_node,  ///< all ranks of a node, then those of the next one
    round_robin,   ///< the first rank of every node, then the second ones
};

/// Returns the rank, in a communicator of this origin, of the process with the given rank among all
/// `ranks`. `node_of_rank` may be empty if all ranks are on one node.
int position(Origin origin, int rank, int ranks, std::span<const int> node_of_rank);
/// True if the communicator is made for the order of its ranks.
bool renumbers(Origin origin);
/// True if an order by nodes differs from the order of the ranks on these nodes.
bool renumbers(Origin origin, std::span<const int> node_of_rank);
/// True for orders by the nodes of the ranks.
bool is_by_nodes(Origin origin);
/// True if this MPI library can make such a communicator.
bool is_available(Origin origin);

/// Returns the communicator of this origin with the processes of `comm`. The first call makes the
/// communicator and keeps it as an attribute of `comm`, which frees it. Errors are handled as on
/// `comm`. Collective at the first call.
MPI_Comm communicator(MPI_Comm comm, Origin origin);

// Folding to the largest power of two: of each pair (0, 1), (2, 3), ... at the beginning, the root,
// or else the upper rank, takes part for both.

/// Returns whether the rank belongs to one of these pairs.
bool is_of_a_pair(int rank, int ranks);
/// Returns whether the rank takes part: for its pair, or for itself if it is in no pair.
bool stands_for_pair(int rank, int root, int ranks);
/// Returns the rank, in the folded communicator, of the process that takes part for `rank`.
int folded_rank(int rank, int ranks);
/// Returns the communicator of the ranks that stand for themselves or for a pair; on other ranks, a
/// communicator of the others. Kept with `comm` as above. Collective at the first call.
MPI_Comm folded_communicator(MPI_Comm comm, int root);
/// Return a communicator of the same ranks in which each rank has the neighbours of the graph, in
/// the order of the graph; the neighbours of a torus; or all ranks, itself included, in the order
/// of ranks. Kept like the others. Collective at the first call.
MPI_Comm graph_communicator(MPI_Comm comm, const Graph& graph);
MPI_Comm cartesian_communicator(MPI_Comm comm, const std::vector<int>& dimensions);
MPI_Comm complete_communicator(MPI_Comm comm);
/// Returns a communicator of all ranks but rank 0; on rank 0, one of this rank alone.
MPI_Comm communicator_without_first(MPI_Comm comm);
/// Returns a communicator of the first `ranks` ranks; on other ranks, one of the others.
MPI_Comm communicator_of_first(MPI_Comm comm, int ranks);

/// How a call describes the data of one side. Both sides of a call need the same elements, but may
/// have different types and counts.
enum class Described {
    as_usual,     ///< a number of elements
    as_one_type,  ///< one element of a type with all elements, or as few elements as blocks allow
    as_list,      ///< as as_one_type, with a type that lists each element
};

/// A variant of a call to the library, which has to be no slower than the usual call. Its name
/// stands in brackets behind the name of the operation.
struct Variant {
    std::string_view name = {};
    std::string_view says = {};  ///< the communicator, in words
    std::string_view besides =
        {};  ///< work around the call, in words that follow the name of the target layout
    Origin origin = Origin::given;
    OperatorForm op = OperatorForm::plain;
    bool is_cartesian = false;  ///< MPI_Cart_create makes the graph of the problem
    /// Every process has the data of its rank in the communicator, which may differ from its rank
    /// among all ranks.
    bool is_reordered = false;
    Described sent = Described::as_usual, received = Described::as_usual;
    int parts = 1;  ///< number of non-blocking calls in flight at the same time
    /// The operation that the arrow stands for in a simulation.
    std::string_view stands_for = {};
};

}  // namespace mpiaudit
