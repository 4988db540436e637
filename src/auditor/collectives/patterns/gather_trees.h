// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "collectives/patterns/along_trees.h"

namespace mpiaudit {

/// What one rank gathers: the blocks of `ranks` ranks first, first + 1, ... modulo p.
struct Subtree {
    int root;   ///< The rank that gathers it.
    int first;  ///< The blocks lie in the order first, first + 1, ...
    int ranks;
    std::int64_t amount;  ///< Total of the blocks, in bytes (or in any unit in the pure functions).
    bool operator==(const Subtree&) const = default;
};

/// One rank's place in a gather tree; the other way round it is its place in a scatter tree.
struct GatherNode {
    Subtree own;                    ///< What the rank has when it sends to its parent.
    int parent = -1;                ///< -1 at the root of the tree.
    std::vector<Subtree> children;  ///< In the order of the rounds in which they arrive.
    /// Graceful degradation: this subtree exceeds the threshold and deals directly with the root of
    /// the operation, its parent, which does not know it as a child. The amount of a subtree leaves
    /// out what such subtrees inside it send or receive directly.
    bool is_direct = false;
    bool operator==(const GatherNode&) const = default;
};

/// One rank's view of a gather or scatter operation in progress: its arguments, of which only those
/// are read that MPI declares significant on this rank, and what follows from them.
struct RootedCall {
    Ranks ranks;  ///< Counted from the root.
    bool is_in_place;
    TypedBuffer own;         ///< This rank's block; at the root with MPI_IN_PLACE meaningless.
    std::int64_t own_bytes;  ///< Also with MPI_IN_PLACE.
    Blocks blocks;           ///< All blocks; only at the root.
    bool is_regular;         ///< All blocks have the size of the own one.

    int root() const { return ranks.first; }
    bool is_root() const { return ranks.rank == ranks.first; }
};

/// The arguments of a gather or scatter that are significant at the root only.
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

RootedCall rooted_call(const TypedBuffer& own, const BlocksAtRoot& all, int root, MPI_Comm comm);

/// At the root: puts its own block into its place among the blocks, unless it is there already.
void place_own_block(const RootedCall& call);

/// At the root: takes its own block out of the blocks, unless it shall stay there.
void take_own_block(const RootedCall& call);

/// What a rank's own subtree consists of, in the order of its blocks: the children and, as one of
/// them, the rank's own block. Their amounts add up to the offsets in an intermediate buffer.
std::vector<Subtree> pieces_in_order(const RootedCall& call, const GatherNode& node);

/// A rank's node of the k-nomial tree (radix 2: binomial) over the ranks relative to the root,
/// (rank - root) mod p, whatever the block sizes: a subtree is a range of relative ranks, so of
/// ranks modulo p. The amounts are not known yet.
GatherNode fixed_tree(int rank, int root, int ranks, int radix);

/// Finds the amounts of an irregular gather or scatter: subtrees tell theirs to their parents by
/// one message per edge that does not end at the root, which knows all counts. Messages of their
/// own rather than MPI_Probe on the data, so that a gather can post all its receives to where the
/// data belong before any arrive.
void tell_amounts(const RootedCall& call, GatherNode& node);

/// The amounts when all blocks have the size of this rank's own.
void set_regular_amounts(const RootedCall& call, GatherNode& node);

/// A rank's place in a tree of two levels: a k-nomial tree over the ranks of each node, whose first
/// rank leads it, and one over the leaders, in which the root is that of its node. Every subtree is
/// a range of ranks modulo p, so that blocks travel in their order; for that the ranks of the
/// root's node that are before it are a tree of their own. One message enters or leaves a node per
/// edge between nodes. Nodes are `ranks_per_node` consecutive ranks; 0: not known, which gives
/// fixed_tree(). The amounts are not known yet.
GatherNode node_tree(int rank, int root, int ranks, int ranks_per_node, int radix);

/// The ordered tree in which subtrees of at least `threshold_bytes` deal directly with the root of
/// the operation (Träff 2017, section 3). The threshold is the same on all ranks.
struct DegradingTree {
    GatherNode node;
    /// At the root: those, in the order of their first ranks and the larger ones first, amounts
    /// unset.
    std::vector<Subtree> direct;
};
/// Where this rank's subtree is one of them, it tells its ranks to the root before any blocks move,
/// so that the root can be ready for them.
DegradingTree degrading_tree(const RootedCall& call, std::int64_t threshold_bytes);

/// The ranks of a subtree without those of the direct subtrees inside it, which are in the order of
/// DegradingTree. Subtrees of an ordered tree are disjoint or inside each other.
std::vector<int> ranks_without(const Subtree& subtree, const std::vector<Subtree>& direct);

}  // namespace mpiaudit
