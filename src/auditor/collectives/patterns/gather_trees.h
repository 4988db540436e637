// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "collectives/patterns/along_trees.h"

namespace mpiaudit {

/// The blocks that one rank gathers: those of `ranks` ranks first, first + 1, ... modulo p.
struct Subtree {
    int root;   ///< the gathering rank
    int first;  ///< rank of the first block; the order is first, first + 1, ...
    int ranks;
    std::int64_t amount;  ///< total bytes of the blocks (any unit in the pure functions)
    bool operator==(const Subtree&) const = default;
};

/// One rank's place in a gather tree; reversed, in a scatter tree.
struct GatherNode {
    Subtree own;                    ///< blocks that the rank sends to its parent
    int parent = -1;                ///< -1 at the root of the tree
    std::vector<Subtree> children;  ///< in the order of the rounds in which they arrive
    /// Graceful degradation: this subtree exceeds the threshold and communicates directly with the
    /// root of the operation. Its parent is this root, which does not list it as a child. The
    /// amount of a subtree excludes such subtrees inside it.
    bool is_direct = false;
    bool operator==(const GatherNode&) const = default;
};

/// One rank's view of a gather or scatter: the arguments that MPI declares significant on this
/// rank, and values derived from them.
struct RootedCall {
    Ranks ranks;  ///< positions count from the root
    bool is_in_place;
    TypedBuffer own;         ///< this rank's block; undefined at the root with MPI_IN_PLACE
    std::int64_t own_bytes;  ///< also set with MPI_IN_PLACE
    Blocks blocks;           ///< all blocks; only at the root
    bool is_regular;         ///< all blocks have the size of this rank's

    int root() const { return ranks.first; }
    bool is_root() const { return ranks.rank == ranks.first; }
};

struct BlocksAtRoot {
    BlocksAtRoot(const void* start, int count, MPI_Datatype element)
        : buffer{start}, type{element}, is_regular{true}, count_of_each{count} {}
    BlocksAtRoot(const void* start, const int of_each[], const int begins[], MPI_Datatype element)
        : buffer{start}, type{element}, is_regular{false}, counts{of_each}, displacements{begins} {}

    const void* buffer;
    MPI_Datatype type;
    bool is_regular;
    int count_of_each = 0;
    const int* counts = nullptr;
    const int* displacements = nullptr;
};

/// Describes a call of a gather or scatter on this rank.
RootedCall rooted_call(const TypedBuffer& own, const BlocksAtRoot& all, int root, MPI_Comm comm);

/// Copies the root's own block to its place among the blocks, unless MPI_IN_PLACE.
void place_own_block(const RootedCall& call);

/// Copies the root's own block out of the blocks, unless MPI_IN_PLACE.
void take_own_block(const RootedCall& call);

/// Returns the parts of a rank's subtree in the order of its blocks: the children and the rank's
/// own block. Sums of their amounts are offsets in an intermediate buffer.
std::vector<Subtree> pieces_in_order(const RootedCall& call, const GatherNode& node);

/// Returns a rank's node of the k-nomial tree (radix 2: binomial) over the relative ranks (rank -
/// root) mod p, whatever the block sizes: a subtree is a range of ranks modulo p. Leaves amounts at
/// 0.
GatherNode fixed_tree(int rank, int root, int ranks, int radix);

/// Computes the amounts of an irregular gather or scatter: subtrees send theirs to their parents,
/// one message per edge that does not end at the root, which knows all counts. Uses separate
/// messages instead of MPI_Probe on the data, so that a gather can post all receives in their final
/// places before data arrive.
void tell_amounts(const RootedCall& call, GatherNode& node);

/// Sets the amounts if all blocks have the size of this rank's own.
void set_regular_amounts(const RootedCall& call, GatherNode& node);

/// Returns a rank's node of a tree of two levels: a k-nomial tree over the ranks of each node,
/// whose first rank is its leader, and one over the leaders; the root leads its node. A subtree is
/// a range of ranks modulo p, so blocks travel in their order; for this purpose the ranks before
/// the root on its node form a tree of their own. One message crosses per edge between nodes. Nodes
/// are `ranks_per_node` consecutive ranks; 0: unknown, which gives fixed_tree(). Leaves amounts at
/// 0.
GatherNode node_tree(int rank, int root, int ranks, int ranks_per_node, int radix);

/// The ordered tree in which subtrees of at least `threshold_bytes` communicate directly with the
/// root of the operation (Träff 2017, section 3). The threshold is equal on all ranks.
struct DegradingTree {
    GatherNode node;
    /// These subtrees, at the root only, ordered by first rank, larger ones first; amounts unset.
    std::vector<Subtree> direct;
};
/// Builds the tree. If this rank's subtree is a direct one, announces its ranks to the root before
/// any blocks move, so that the root can post receives.
DegradingTree degrading_tree(const RootedCall& call, std::int64_t threshold_bytes);

/// Returns the ranks of a subtree without those of the direct subtrees inside it, which are ordered
/// as in DegradingTree. Subtrees of an ordered tree are disjoint or nested.
std::vector<int> ranks_without(const Subtree& subtree, const std::vector<Subtree>& direct);

}  // namespace mpiaudit
