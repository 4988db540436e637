// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

#include "collectives/patterns/gather_trees.h"

namespace mpiaudit {

inline bool operator==(const Subtree& a, const Subtree& b) {
    return a.root == b.root && a.first == b.first && a.ranks == b.ranks && a.amount == b.amount;
}

inline void PrintTo(const Subtree& subtree, std::ostream* out) {
    *out << "root " << subtree.root << " first " << subtree.first << " ranks " << subtree.ranks
         << " amount " << subtree.amount;
}

}  // namespace mpiaudit
