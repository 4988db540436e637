// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/call/two_trees.h"

#include <algorithm>
#include <bit>

#include "collectives/call/kept_place.h"

namespace mpiaudit {
namespace {

struct InOrderPlace {
    int parent = -1;
    std::array<int, 2> children = {-1, -1};  ///< left and right
};

/// Over places 0, ..., size - 1: place 0 has a right child only, all others follow from the bits of
/// their number, so that odd places are leaves.
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

/// The second tree has position 1 for place 0, below position 0.
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

/// The colours of all edges, by the position to which they lead. An edge differs from the one to
/// the same position in the other tree, and from the other one that leaves its parent, so that
/// edges make paths and circles of even length.
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
    /// Along the path that begins with the edge in the other tree, or with the one beside this.
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

}  // namespace

TwoTrees::TwoTrees(int position, int size) {
    if (size == 1) return;
    Colours colours{size};
    // The first round of that colour after the one in which the parent receives.
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

}  // namespace mpiaudit
