// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/patterns/two_trees.h"

#include <algorithm>
#include <bit>

#include "collectives/call/blocks.h"
#include "collectives/call/limits.h"
#include "collectives/patterns/reduction.h"
#include "collectives/patterns/trees.h"

namespace mpiaudit {
namespace {

struct InOrderPlace {
    int parent = -1;
    std::array<int, 2> children = {-1, -1};  ///< left and right
};

/// Returns a place in a tree over places 0, ..., size - 1: place 0 has a right child only, the bits
/// of the other numbers determine their places, and odd places are leaves.
InOrderPlace in_order_place(int place, int size) {
    InOrderPlace made;
    if (place == 0) {
        if (size > 1)
            made.children[1] = static_cast<int>(std::bit_floor(static_cast<unsigned>(size - 1)));
        return made;
    }
    const int bit = place & -place;
    const int above = (place ^ bit) | (2 * bit);
    made.parent = above < size ? above : place ^ bit;
    int away = bit / 2;
    if (away > 0) made.children[0] = place - away;
    while (away > 0 && place + away >= size) away /= 2;
    if (away > 0) made.children[1] = place + away;
    return made;
}

/// Returns a position's place in a tree. Tree 1 is a tree over size - 1 places, moved up by one
/// position; its root, position 1, is the only child of position 0.
InOrderPlace place_in(int tree, int position, int size) {
    if (tree == 0) return in_order_place(position, size);
    InOrderPlace made;
    if (position == 0) {
        if (size > 1) made.children[1] = 1;
        return made;
    }
    made = in_order_place(position - 1, size - 1);
    for (int* const each : {&made.parent, &made.children[0], &made.children[1]})
        if (*each >= 0) ++*each;
    if (position == 1) made.parent = 0;
    return made;
}

/// The colours of all edges, by tree and lower position. The colour of an edge differs from
/// the colours of two others: the edge to the same position in the other tree, and the other edge
/// of the parent. So the constraints form paths and circles of even length.
class Colours {
  public:
    explicit Colours(int size) : size_{size} {
        for (std::vector<int>& each : of_) each.assign(static_cast<std::size_t>(size), -1);
        for (int position = 1; position < size; ++position)
            if (of(0, position) < 0) {
                of(0, position) = 0;
                spread(0, position, true);
                spread(0, position, false);
            }
    }
    int& of(int tree, int position) {
        return of_[static_cast<std::size_t>(tree)][static_cast<std::size_t>(position)];
    }

  private:
    /// Follows the constraints from a coloured edge and gives each edge the other colour. Starts
    /// with the edge in the other tree, or with the sibling edge.
    void spread(int tree, int position, bool to_same_position) {
        for (;; to_same_position = !to_same_position) {
            const int colour = of(tree, position);
            if (to_same_position) {
                tree = 1 - tree;
            } else {
                const int parent = place_in(tree, position, size_).parent;
                if (parent == 0) tree = 1 - tree;
                const InOrderPlace above = place_in(tree, parent, size_);
                const auto& [left, right] = above.children;
                position = parent == 0 || left == position ? right : left;
                if (position < 0) return;
            }
            if (of(tree, position) >= 0) return;
            of(tree, position) = 1 - colour;
        }
    }

    int size_;
    std::array<std::vector<int>, 2> of_;
};

/// The part of one position in the reversed rounds of two_tree_Bcast.
class TwoTreeReduction {
  public:
    TwoTreeReduction(const Reduction& reduction, const Blocks& own, const TwoTrees& trees)
        : reduction_{reduction}, own_{own}, n_{own.size() / 2} {
        for (const TwoTrees::Edge& edge : trees.outgoing()) {
            OperandBuffer& buffer = edge.is_left ? left_ : right_;
            if (buffer.get() == nullptr) buffer = reduction.buffer();
            (edge.is_left ? has_left_ : has_right_)[static_cast<std::size_t>(edge.tree)] = true;
        }
    }

    TypedBuffer from_child(const TwoTrees::Message& message) const {
        return own_.with_buffer((message.edge->is_left ? left_ : right_).get())
            .message(message.edge->tree * n_ + message.segment);
    }

    /// Combines this position's segment with the segments of its children, in the order of the
    /// positions. Call this once for a segment, after the children's segments have arrived: the
    /// result may overwrite one of them.
    TypedBuffer combine_segment(int tree, int segment, const Ranks& ranks) {
        const int block = tree * n_ + segment;
        const bool has_left = has_left_[static_cast<std::size_t>(tree)];
        const TypedBuffer left = own_.with_buffer(left_.get()).message(block);
        if (has_right_[static_cast<std::size_t>(tree)]) {
            TypedBuffer right = own_.with_buffer(right_.get()).message(block);
            reduction_.combine(own_.at(block), right);
            if (has_left) reduction_.combine(left.address, right);
            return right;
        }
        if (!has_left) return own_.message(block);
        if (reduction_.is_commutative) {
            reduction_.combine(own_.at(block), left);
            return own_.with_buffer(left_.get()).message(block);
        }
        // The result must be where the last operand was.
        if (right_.get() == nullptr) right_ = reduction_.buffer();
        TypedBuffer result = own_.with_buffer(right_.get()).message(block);
        copy_locally(own_.message(block), result, ranks);
        reduction_.combine(left.address, result);
        return result;
    }

  private:
    const Reduction& reduction_;
    const Blocks& own_;
    int n_;
    OperandBuffer left_, right_;  ///< segments received from children
    std::array<bool, 2> has_left_ = {}, has_right_ = {};
};

/// Returns the rank at the other end, or MPI_PROC_NULL without a message.
int other_end(const std::optional<TwoTrees::Message>& message, const Ranks& ranks) {
    return message ? ranks.at(message->edge->other) : MPI_PROC_NULL;
}

}  // namespace

TwoTrees::TwoTrees(int position, int size) {
    if (size == 1) return;
    Colours colours{size};
    // The first round of the edge's colour after the parent has received.
    const auto after = [&](int round, int tree, int at) {
        return round + 1 + ((round + 1) % 2 != colours.of(tree, at) ? 1 : 0);
    };
    for (const int tree : {0, 1}) {
        int received = -1;
        if (position > 0) {
            std::vector<int> path = {position};
            while (path.back() != 0) path.push_back(place_in(tree, path.back(), size).parent);
            for (auto at = path.rbegin() + 1; at != path.rend(); ++at)
                received = after(received, tree, *at);
            incoming_.push_back({tree, path[1], received});
        }
        const InOrderPlace place = place_in(tree, position, size);
        for (const std::size_t side : {0U, 1U}) {
            const int child = place.children[side];
            if (child >= 0)
                outgoing_.push_back({tree, child, after(received, tree, child), side == 0});
        }
    }
}

std::shared_ptr<const TwoTrees> two_trees_of(const Ranks& ranks) {
    return kept_place<TwoTrees>(ranks, [&] { return TwoTrees{ranks.position, ranks.size}; });
}

int TwoTrees::rounds(int segments) const {
    int last = -1;
    for (const std::vector<Edge>* const edges : {&incoming_, &outgoing_})
        for (const Edge& edge : *edges) last = std::max(last, edge.first + 2 * (segments - 1));
    return last + 1;
}

std::optional<TwoTrees::Message> TwoTrees::message(const std::vector<Edge>& edges, int round,
                                                   int segments) {
    for (const Edge& edge : edges) {
        const int since = round - edge.first;
        if (since >= 0 && since % 2 == 0 && since / 2 < segments) return Message{&edge, since / 2};
    }
    return std::nullopt;
}

void broadcast_in_two_trees(const TypedBuffer& vector, const Ranks& ranks) {
    const int n = half_vector_segments(vector, preorder_height(ranks.size));
    const Blocks segments = Blocks::split(vector, 2 * n);
    const std::shared_ptr<const TwoTrees> trees = two_trees_of(ranks);
    const auto data = [&](const std::optional<TwoTrees::Message>& message) {
        return message ? segments.message(message->edge->tree * n + message->segment)
                       : TypedBuffer{};
    };
    for (int round = 0; round < trees->rounds(n); ++round) {
        const auto taken = TwoTrees::message(trees->incoming(), round, n);
        const auto given = TwoTrees::message(trees->outgoing(), round, n);
        ranks.exchange(data(given), other_end(given, ranks), data(taken), other_end(taken, ranks));
    }
}

void reduce_in_two_trees(const Reduction& reduction, const void* input, void* output,
                         const Ranks& ranks) {
    const int n = half_vector_segments(reduction.all_of(input), preorder_height(ranks.size));
    const Blocks own = reduction.split(input, 2 * n);
    const std::shared_ptr<const TwoTrees> trees = two_trees_of(ranks);
    TwoTreeReduction here{reduction, own, *trees};
    for (int round = trees->rounds(n) - 1; round >= 0; --round) {
        const auto taken = TwoTrees::message(trees->outgoing(), round, n);
        const auto given = TwoTrees::message(trees->incoming(), round, n);
        const TypedBuffer received = taken ? here.from_child(*taken) : TypedBuffer{};
        const TypedBuffer sent =
            given ? here.combine_segment(given->edge->tree, given->segment, ranks) : TypedBuffer{};
        ranks.exchange(sent, other_end(given, ranks), received, other_end(taken, ranks));
    }
    if (ranks.position > 0) return;
    for (const int tree : {0, 1})
        for (int segment = 0; segment < n; ++segment) {
            const TypedBuffer result = here.combine_segment(tree, segment, ranks);
            const TypedBuffer place = own.with_buffer(output).message(tree * n + segment);
            if (result.address != place.address) copy_locally(result, place, ranks);
        }
}

}  // namespace mpiaudit
