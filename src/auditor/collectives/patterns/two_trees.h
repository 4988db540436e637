// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "collectives/call/bind_first.h"
#include "collectives/call/ranks.h"

namespace mpiaudit {

/// What a position does in two binary trees, one for each half of a vector, both with all positions
/// and below position 0. Whoever has children in one of the trees has none in the other, and in
/// every round a position receives at most one segment and sends at most one: the edges of both
/// trees have one of two colours, one of which has its turn, so that those that lead to a position
/// differ and those that leave it differ too (P. Sanders, J. Speck, J. L. Träff, "Two-tree
/// algorithms for full bandwidth broadcast, reduction and scan", Parallel Computing 35, 2009; the
/// numbering is that of NCCL). From left to right both trees have the positions in their order.
class TwoTrees {
  public:
    /// An edge carries its first segment in round `first`, the next one two rounds later.
    struct Edge {
        int tree;
        int other;  ///< the position at its other end
        int first;
        bool is_left = false;  ///< the child before the position
    };
    TwoTrees(int position, int size);

    /// From the parent in each tree; none at position 0.
    const std::vector<Edge>& incoming() const { return incoming_; }
    /// To children.
    const std::vector<Edge>& outgoing() const { return outgoing_; }
    /// Of this position, for so many segments in each tree.
    int rounds(int segments) const;

    /// The message of a round over one of the edges.
    struct Message {
        const Edge* edge;
        int segment;  ///< of its tree
    };
    static std::optional<Message> message(const std::vector<Edge>& edges, int round, int segments);

  private:
    std::vector<Edge> incoming_, outgoing_;
};

/// Kept with the communicator.
std::shared_ptr<const TwoTrees> two_trees_of(const Ranks& ranks);

/// Each half of a vector goes down one of the trees from position 0, in segments.
void broadcast_in_two_trees(const TypedBuffer& vector, const Ranks& ranks);

/// The same backwards: a VectorReduction to position 0 in the order of the positions.
void reduce_in_two_trees(const Reduction& reduction, const void* input, void* output,
                         const Ranks& ranks);

}  // namespace mpiaudit
