// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/call/binary_trees.h"

#include <algorithm>
#include <bit>

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
    const int others = size / 2;  // of each tree, position 0 not counted
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

}  // namespace mpiaudit
