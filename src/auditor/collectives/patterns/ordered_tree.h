// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "collectives/patterns/gather_trees.h"

/// The ordered gather trees of Träff 2017, section 2, as pure functions. The distributed
/// construction decides with these functions, too.
namespace mpiaudit {

/// The shape of an ordered tree beside block sizes and root.
struct OrderedTreeOptions {
    /// Cubes that join in one round: 2, or k + 1 on a k-ported system (remark after Theorem 1).
    int radix = 2;
    /// Graceful degradation (section 3): a non-empty subtree of at least this amount goes directly
    /// to the given root.
    std::int64_t threshold = std::numeric_limits<std::int64_t>::max();

    bool degrades() const { return threshold < std::numeric_limits<std::int64_t>::max(); }
};

/// An ordered, possibly incomplete hypercube: the ranks first..last, whose blocks `gather_root`
/// gathers. Amounts in any unit.
struct OrderedCube {
    int first;
    int last;  ///< also the cube's fixed root, its speaker (Lemma 3)
    int gather_root;
    /// Sum of the blocks that the gather root receives: its estimated gather time (Lemma 1).
    std::int64_t gather_time;
    std::int64_t root_block;
    /// Direct subtrees in the cube; their blocks are in no amount.
    std::int64_t direct_subtrees = 0;

    std::int64_t amount() const { return gather_time + root_block; }
    bool contains(int rank) const { return first <= rank && rank <= last; }
};

OrderedCube single_rank(int rank, std::int64_t block_size);

/// Returns the cubes of `width` ranks that join with the cube of `rank`, including it, in rank
/// order, with unknown gather roots and amounts.
std::vector<OrderedCube> adjacent_cubes(int rank, std::int64_t width, int radix, int ranks);

/// Returns the index of the cube that gets the data of the others: the one with the given root
/// (Lemma 2), else the one with the largest gather time (Lemma 1); ties go to the larger amount,
/// then to the lower cube.
std::size_t receiving_cube(std::span<const OrderedCube> cubes, int given_root);

/// Returns the joined cube after the others have sent their data to `cubes[receiver]`.
OrderedCube joined(std::span<const OrderedCube> cubes, std::size_t receiver, int given_root,
                   const OrderedTreeOptions& options);

/// Updates the node of the gather root of cubes[mine] when the cubes join. Returns false if the
/// rank has found its parent.
bool grow(GatherNode& node, std::span<const OrderedCube> cubes, std::size_t mine,
          std::size_t receiver, int given_root, const OrderedTreeOptions& options);

/// Returns the node of one rank for blocks of equal size, in O(radix log p) and without
/// communication, as all ranks know size and root (remark after Theorem 1).
GatherNode regular_ordered_node(int rank, int ranks, int given_root, std::int64_t block_size,
                                int radix = 2);

/// One rank's knowledge of an ordered tree after its construction.
struct DistributedNode {
    GatherNode node;
    /// The largest cube that the rank knows: all ranks at the root of the tree and at its fixed
    /// root, the last rank.
    OrderedCube cube;
};

/// Constructs this rank's node of the tree by the exchanges of Träff 2017, Lemma 3: every rank
/// knows only its own block size in bytes and the root. Collective; at most 2 ceil(log p) - 1
/// dependent messages of constant size.
DistributedNode distributed_ordered_tree(std::int64_t block_bytes, int given_root,
                                         const Ranks& ranks,
                                         const OrderedTreeOptions& options = {});

}  // namespace mpiaudit
