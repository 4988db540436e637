// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace mpiaudit {

/// What one rank gathers: the blocks of `ranks` ranks first, first + 1, ... modulo p.
struct Subtree {
    int root;   ///< The rank that gathers it.
    int first;  ///< The blocks lie in the order first, first + 1, ...
    int ranks;
    std::int64_t amount;  ///< Total of the blocks, in bytes (or in any unit in the pure functions).
};

/// One rank's place in a gather tree; the other way round it is its place in a scatter tree.
struct GatherNode {
    Subtree own;                    ///< What the rank has when it sends to its parent.
    int parent = -1;                ///< -1 at the root of the tree.
    std::vector<Subtree> children;  ///< In the order of the rounds in which they arrive.
    /// Graceful degradation: this subtree exceeds the threshold and deals directly with the root of
    /// the operation, its parent, which does not know it as a child. The amount of a subtree leaves
    /// out what such subtrees inside it send or receive directly.
    bool is_direct = false;
};

}  // namespace mpiaudit
