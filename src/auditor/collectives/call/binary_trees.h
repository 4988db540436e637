// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

namespace mpiaudit {

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

}  // namespace mpiaudit
