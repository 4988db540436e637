// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <ranges>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "collectives/patterns/reduction.h"
#include "messages/kept_with.h"

namespace mpiaudit {

/// Returns a rank's place in trees, created by make() in the first call with this root and kept
/// with the communicator, since creating it takes time proportional to the number of ranks.
template <class Place, class Make>
std::shared_ptr<const Place> kept_place(const Ranks& ranks, const Make& make) {
    using Places = std::map<int, std::shared_ptr<const Place>>;  // by root
    constexpr std::size_t most_places = 1000;
    auto& places = kept_with<Places>(ranks.comm);
    if (!places.contains(ranks.first) && places.size() >= most_places) places.clear();
    std::shared_ptr<const Place>& place = places[ranks.first];
    if (!place) place = std::make_shared<const Place>(make());
    return place;
}

/// The neighbours of a position in a binary tree over positions; -1: none.
struct TreePlace {
    int parent = -1;
    int left = -1;
    int right = -1;
    int depth = 0;  ///< 0 at the root; set by preorder_tree() only

    bool has_parent() const { return parent >= 0; }
    bool is_leaf() const { return left < 0 && right < 0; }
};

/// Returns a place in the tree over positions 0, ..., size - 1 in which a subtree is a range of
/// positions that begins with its root, and the left subtree has as many positions as the right one
/// or one more. So few edges cross between nodes of consecutive ranks.
TreePlace preorder_tree(int position, int size);

/// Returns the depth of the deepest position in preorder_tree().
int preorder_height(int size);

/// Returns the places in two trees below position 0, one for each half of a vector: every other
/// position is in one of them, and its mirror image in the other tree is the adjacent position. If
/// the number of positions below 0 is odd, the last one is its own image, a leaf of both.
std::array<TreePlace, 2> split_trees(int position, int size);

/// A position in the tree over positions 0, ..., size - 1 in which the parent of a position lacks
/// its lowest non-zero digit in base `radix`; base 2 gives the binomial tree. A subtree is a range
/// of positions that begins with its root.
template <int radix>
class KnomialTree {
  public:
    /// Children at one level are served at once.
    static constexpr bool has_ports = radix > 2;

    KnomialTree(int position, int size) : position_{position}, size_{size} {
        while (weight_ < size && position % (weight_ * radix) == 0) weight_ *= radix;
    }

    /// Returns the parent; undefined for position 0.
    int parent() const { return position_ - position_ % (weight_ * radix); }
    bool is_leaf() const { return weight_ == 1 || position_ + 1 == size_; }
    /// Returns the number of positions in its subtree, including itself.
    int subtree() const { return std::min(weight_, size_ - position_); }
    /// Calls act(child), largest subtrees first.
    template <class Act>
    void for_each_child_down(const Act& act) const {
        for (int weight = weight_ / radix; weight > 0; weight /= radix) at_level(weight, act);
    }
    /// Calls act(child) in ascending order of positions.
    template <class Act>
    void for_each_child_up(const Act& act) const {
        for (int weight = 1; weight < weight_; weight *= radix) at_level(weight, act);
    }

  private:
    template <class Act>
    void at_level(int weight, const Act& act) const {
        const int last = std::min(radix - 1, (size_ - 1 - position_) / weight);
        for (int digit = 1; digit <= last; ++digit) act(position_ + digit * weight);
    }

    int position_, size_;
    /// Weight of the lowest non-zero digit; for position 0 the first power of `radix` that is at
    /// least the size.
    int weight_ = 1;
};

/// A position in the tree below position 0 that the reversed rounds of bine_distance() make: every
/// reached position reaches another one in each round. If the number of positions is no power of
/// two, the first ones have an additional leaf each.
class BineTree {
  public:
    static constexpr bool has_ports = false;

    BineTree(int position, int size);

    int parent() const { return parent_; }
    bool is_leaf() const { return children_.empty(); }
    template <class Act>
    void for_each_child_down(const Act& act) const {
        std::ranges::for_each(children_, act);
    }
    template <class Act>
    void for_each_child_up(const Act& act) const {
        std::ranges::for_each(children_ | std::views::reverse, act);
    }

  private:
    int parent_ = -1;
    std::vector<int> children_;  ///< in the order in which they are reached
};

/// Return this rank's position in a tree with the root at position 0. A Bine tree is kept with the
/// communicator.
template <int radix>
KnomialTree<radix> knomial_tree(const Ranks& ranks) {
    return {ranks.position, ranks.size};
}
inline std::shared_ptr<const BineTree> bine_tree(const Ranks& ranks) {
    return kept_place<BineTree>(ranks, [&] { return BineTree{ranks.position, ranks.size}; });
}

/// Broadcasts down a tree from the rank at position 0.
template <class Tree>
void broadcast_along(const Tree& tree, const TypedBuffer& data, const Ranks& ranks) {
    if (ranks.position > 0) ranks.receive(data, ranks.at(tree.parent()));
    messages::Requests sends;
    tree.for_each_child_down([&](int child) {
        if constexpr (Tree::has_ports)
            ranks.start_send(sends, data, ranks.at(child));
        else
            ranks.send(data, ranks.at(child));
    });
    if constexpr (Tree::has_ports) sends.wait_for_all();
}

/// Reduces up a tree to position 0: a rank combines its operands with those of its children, in the
/// order of the positions except in a Bine tree.
template <class Tree>
void reduce_along(const Tree& tree, const Reduction& reduction, const void* input, void* output,
                  const Ranks& ranks) {
    const bool is_root = ranks.position == 0;
    const int parent = is_root ? 0 : ranks.at(tree.parent());
    if (!is_root && tree.is_leaf()) return ranks.send(reduction.all_of(input), parent);
    const OperandBuffer own = is_root ? OperandBuffer{} : reduction.buffer();
    const OperandBuffer received = tree.is_leaf() ? OperandBuffer{} : reduction.buffer();
    void* result = is_root ? output : own.get();
    void* incoming = received.get();
    reduction.move(input, result, ranks);
    tree.for_each_child_up([&](int child) {
        ranks.receive(reduction.all_of(incoming), ranks.at(child));
        reduction.append(result, incoming);
    });
    if (!is_root)
        ranks.send(reduction.all_of(result), parent);
    else
        reduction.move(result, output, ranks);
}

}  // namespace mpiaudit
