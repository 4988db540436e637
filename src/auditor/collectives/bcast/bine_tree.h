// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "collectives/call/ranks.h"

namespace mpiaudit {

/// A rank's neighbours in the tree that bine_distance() makes below position 0 when its rounds are
/// taken from the last to the first: everybody who has been reached meets somebody in each. Of a
/// number of ranks that is no power of two the first ones have a neighbour each that is a leaf.
struct BineTree {
    explicit BineTree(const Ranks& ranks);

    int parent = -1;            ///< negative for the root
    std::vector<int> children;  ///< as they are reached
};

/// Kept with the communicator.
std::shared_ptr<const BineTree> bine_tree_of(const Ranks& ranks);

}  // namespace mpiaudit
