// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/patterns/trees.h"

#include <bit>

#include "collectives/call/integers.h"

namespace mpiaudit {

TreePlace preorder_tree(int position, int size) {
    TreePlace made;
    int begin = 0, end = size;
    while (begin != position) {
        const int right = begin + 1 + (end - begin) / 2;
        made.parent = begin;
        ++made.depth;
        if (position < right) {
            ++begin;
            end = right;
        } else {
            begin = right;
        }
    }
    if (begin + 1 < end) made.left = begin + 1;
    const int right = begin + 1 + (end - begin) / 2;
    if (right < end) made.right = right;
    return made;
}

int preorder_height(int size) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(std::max(size, 1)))) - 1;
}

std::array<TreePlace, 2> split_trees(int position, int size) {
    std::array<TreePlace, 2> made;
    const int others = size / 2;  // positions of each tree without position 0
    if (others == 0) return made;
    for (const int half : {0, 1}) {
        TreePlace& place = made[static_cast<std::size_t>(half)];
        const auto at = [&](int index) {
            return index < 0 ? -1 : std::min(2 * index + 1 + half, size - 1);
        };
        if (position == 0) place.left = at(0);
        const bool is_in_both = size % 2 == 0 && position == size - 1;
        if (position == 0 || !(is_in_both || (position - 1) % 2 == half)) continue;
        const TreePlace found = preorder_tree((position - 1) / 2, others);
        place = {found.has_parent() ? at(found.parent) : 0, at(found.left), at(found.right)};
    }
    return made;
}

BineTree::BineTree(int position, int size) {
    const int members = power_of_two_below(size);
    const int leaves = size - members;
    if (position < 2 * leaves && position % 2 == 1) {
        parent_ = position - 1;
        return;
    }
    const auto position_of = [&](int number) {
        return number < leaves ? 2 * number : number + leaves;
    };
    const int own = position < 2 * leaves ? position / 2 : position - leaves;
    std::vector<int> reached = {0};
    for (int round = ceil_log2(members) - 1; round >= 0; --round) {
        const std::size_t before = reached.size();
        for (std::size_t i = 0; i < before; ++i) {
            const int next = bine_partner(reached[i], round, members);
            if (next == own) parent_ = position_of(reached[i]);
            if (reached[i] == own) children_.push_back(position_of(next));
            reached.push_back(next);
        }
    }
    if (own < leaves) children_.push_back(position + 1);
}

}  // namespace mpiaudit
