// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>
#include <string_view>
#include <vector>

#include "problem/graph.h"
#include "problem/operator.h"

namespace mpiaudit {

/// Where a communicator of all ranks comes from, or in which order the ranks are in it. A correct
/// library may renumber inside, so that neither has to make a difference.
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

/// The rank, in a communicator of this origin, of a process whose rank among all `ranks` is `rank`.
/// `node_of_rank` may be empty where all ranks are on one node.
int position(Origin origin, int rank, int ranks, std::span<const int> node_of_rank);
/// Whether the order of the ranks is the one for which the communicator is made.
bool renumbers(Origin origin);
/// Whether an order by nodes is another one than that of the ranks on these nodes.
bool renumbers(Origin origin, std::span<const int> node_of_rank);
/// Whether this order is about the nodes on which the ranks are.
bool is_by_nodes(Origin origin);
/// Whether this MPI library can make it.
bool is_available(Origin origin);

/// The communicator of this origin with the processes of `comm`; made at the first call, kept with
/// `comm` as an attribute, and freed with it. Errors on it are handled as on `comm`. Collective at
/// the first call.
MPI_Comm communicator(MPI_Comm comm, Origin origin);

// Which ranks stand for others where an operation is folded to the largest power of two: of the
// pairs (0, 1), (2, 3), ... at the beginning the root, or else the upper rank.

bool is_of_a_pair(int rank, int ranks);
bool stands_for_pair(int rank, int root, int ranks);
/// The rank, in the folded communicator, of the one that stands for `rank`.
int folded_rank(int rank, int ranks);
/// Of those that stand for themselves or for a pair; for all others one of the others. Kept with
/// `comm` like those above. Collective at the first call.
MPI_Comm folded_communicator(MPI_Comm comm, int root);
/// The same ranks with the neighbours of a graph, in its order; with those of a torus; with all
/// ranks, the own one included, in the order of the ranks. Where the library `may_reorder`, a
/// process has the neighbours of the rank that it has got. Kept like the others. Collective at the
/// first call.
MPI_Comm graph_communicator(MPI_Comm comm, const Graph& graph, bool may_reorder = false);
MPI_Comm cartesian_communicator(MPI_Comm comm, const std::vector<int>& dimensions,
                                bool may_reorder = false);
MPI_Comm complete_communicator(MPI_Comm comm);
/// Of all ranks but rank 0; for rank 0 one of its own.
MPI_Comm communicator_without_first(MPI_Comm comm);
/// Of the first `ranks` ranks; for the others one of their own.
MPI_Comm communicator_of_first(MPI_Comm comm, int ranks);

/// How a call describes the data of one of its sides. Both have to have the same elements, not the
/// same types and counts.
enum class Described {
    as_usual,     ///< a number of elements
    as_one_type,  ///< one of a type that has them all, or as few as the blocks allow
    as_list,      ///< the same, of a type that lists each by itself
    with_gaps,    ///< elements as far apart again as they are long
    nested,       ///< one of a type that has all such elements with gaps
};

/// Another way to call an operation of the library that has to be no faster: its name stands in
/// brackets behind that of the operation.
struct Variant {
    std::string_view name = {};
    std::string_view says = {};     ///< of an origin: what it is the operation on
    std::string_view besides = {};  ///< what is done around the call, in words behind its end
    Origin origin = Origin::given;
    OperatorForm op = OperatorForm::plain;
    bool is_cartesian = false;  ///< the graph of the problem by MPI_Cart_create
    /// Every process has the data of its rank in the communicator, which may be another one.
    bool is_reordered = false;
    Described sent = Described::as_usual, received = Described::as_usual;
    int parts = 1;  ///< so many non-blocking calls are in flight at the same time
    /// The operation in whose place the arrow runs in a simulation.
    std::string_view stands_for = {};
};

}  // namespace mpiaudit
