// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "collectives/call/bind_first.h"
#include "collectives/call/ranks.h"

namespace mpiaudit {

/// One position's edges in two binary trees, one per half of a vector, each with all positions
/// below position 0. An inner position of one tree is a leaf of the other, and a position receives
/// and sends at most one segment per round: each edge has one of two colours; even rounds use one,
/// odd rounds the other. The two edges into a position differ in colour, and so do the two edges
/// out of a position (P. Sanders, J. Speck, J. L. Träff, "Two-tree algorithms for full bandwidth
/// broadcast, reduction and scan", Parallel Computing 35, 2009; the numbering is that of NCCL).
/// Both trees have the positions in order from left to right.
class TwoTrees {
  public:
    /// An edge carries its first segment in round `first`, the next one two rounds later.
    struct Edge {
        int tree;
        int other;  ///< position at the other end
        int first;
        bool is_left = false;  ///< the child precedes the position
    };
    TwoTrees(int position, int size);

    /// Edges from the parent in each tree; none at position 0.
    const std::vector<Edge>& incoming() const { return incoming_; }
    /// Edges to children.
    const std::vector<Edge>& outgoing() const { return outgoing_; }
    /// Returns this position's number of rounds for `segments` segments in each tree.
    int rounds(int segments) const;

    /// A message of a round over one of the edges.
    struct Message {
        const Edge* edge;
        int segment;  ///< index within its tree
    };
    static std::optional<Message> message(const std::vector<Edge>& edges, int round, int segments);

  private:
    std::vector<Edge> incoming_, outgoing_;
};

/// Returns the trees, which are kept with the communicator.
std::shared_ptr<const TwoTrees> two_trees_of(const Ranks& ranks);

/// Broadcasts each half of a vector down one of the trees from position 0, in segments.
void broadcast_in_two_trees(const TypedBuffer& vector, const Ranks& ranks);

/// Reduces up both trees to position 0, in the order of the positions. `input` and `output` may be
/// one buffer; only position 0 writes `output`.
void reduce_in_two_trees(const Reduction& reduction, const void* input, void* output,
                         const Ranks& ranks);

}  // namespace mpiaudit
