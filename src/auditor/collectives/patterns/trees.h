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

/// What a rank does in some trees, made by make() in the first call with this root and kept with
/// the communicator, since it takes a time that grows with the number of ranks.
template <class Place, class Make>
std::shared_ptr<const Place> kept_place(const Ranks& ranks, const Make& make) {
    using Places = std::map<int, std::shared_ptr<const Place>>;  // by the root
    constexpr std::size_t most_places = 1000;
    auto& places = kept_with<Places>(ranks.comm);
    if (!places.contains(ranks.first) && places.size() >= most_places) places.clear();
    std::shared_ptr<const Place>& place = places[ranks.first];
    if (!place) place = std::make_shared<const Place>(make());
    return place;
}

/// The neighbours of a position in a binary tree over positions; negative where there is none.
struct TreePlace {
    int parent = -1;
    int left = -1;
    int right = -1;
    int depth = 0;  ///< the root's is 0; known of preorder_tree() alone

    bool has_parent() const { return parent >= 0; }
    bool is_leaf() const { return left < 0 && right < 0; }
};

/// Of positions 0, ..., size - 1, in which every subtree is a row of positions and begins with its
/// root, and the left one is as large as the right one or larger by one. So edges between nodes of
/// consecutive ranks are few.
TreePlace preorder_tree(int position, int size);

/// Its height, at least 0.
int preorder_height(int size);

/// Two trees below position 0, one for each half of a vector: every other position is in one of
/// them, and its mirror image in the other is the position beside it; the last position is its own
/// image where their number is odd, a leaf of both.
std::array<TreePlace, 2> split_trees(int position, int size);

/// A position in the tree over positions 0, ..., size - 1 in which the parent of a position lacks
/// the lowest of its digits that is not 0, in base `radix`; with base 2 the binomial tree. The
/// subtree of a position consists of consecutive positions from it on.
template <int radix>
class KnomialTree {
  public:
    /// Whether the children at one level get what is for them at once.
    static constexpr bool has_ports = radix > 2;

    KnomialTree(int position, int size) : position_{position}, size_{size} {
        while (weight_ < size && position % (weight_ * radix) == 0) weight_ *= radix;
    }

    /// Of every position but 0.
    int parent() const { return position_ - position_ % (weight_ * radix); }
    bool is_leaf() const { return weight_ == 1 || position_ + 1 == size_; }
    /// How many positions are in its subtree, with itself.
    int subtree() const { return std::min(weight_, size_ - position_); }
    /// The largest subtrees first.
    template <class Act>
    void for_each_child_down(const Act& act) const {
        for (int weight = weight_ / radix; weight > 0; weight /= radix) at_level(weight, act);
    }
    /// The nearest ones first, in the order of the positions.
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
    /// Of the lowest digit that is not 0; of position 0 the first that is at least the size.
    int weight_ = 1;
};

/// A position in the tree that bine_distance() makes below position 0 when its rounds are taken
/// from the last to the first: everybody who has been reached meets somebody in each. Of a number
/// of positions that is no power of two the first ones have a neighbour each that is a leaf.
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
    std::vector<int> children_;  ///< as they are reached
};

/// This rank's position in a tree, the root being position 0. A Bine tree is kept with the
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

/// A VectorReduction up a tree to position 0: a rank combines its operands with those of its
/// children. In the order of the positions, but in a Bine tree.
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
