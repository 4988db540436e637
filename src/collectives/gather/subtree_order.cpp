// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/subtree_order.h"

#include <algorithm>

namespace mpiaudit {

std::vector<RankRange> ranges_of(const Subtree& subtree, int ranks) {
    const int last = subtree.first + subtree.ranks - 1;
    if (last < ranks) return {{subtree.first, last}};
    return {{subtree.first, ranks - 1}, {0, last - ranks}};
}

std::vector<Subtree> pieces_in_order(const RootedCall& call, const GatherNode& node) {
    std::vector<Subtree> pieces = node.children;
    pieces.push_back({call.rank, call.rank, 1, call.own_bytes});
    std::ranges::sort(pieces, {}, [&](const Subtree& piece) {
        return (piece.first - node.own.first + call.ranks) % call.ranks;
    });
    return pieces;
}

}  // namespace mpiaudit
