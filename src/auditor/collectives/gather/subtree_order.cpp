// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/subtree_order.h"

#include <algorithm>

namespace mpiaudit {

std::vector<Subtree> pieces_in_order(const RootedCall& call, const GatherNode& node) {
    std::vector<Subtree> pieces = node.children;
    pieces.push_back({call.ranks.rank, call.ranks.rank, 1, call.own_bytes});
    std::ranges::sort(pieces, {}, [&](const Subtree& piece) {
        return (piece.first - node.own.first + call.ranks.size) % call.ranks.size;
    });
    return pieces;
}

}  // namespace mpiaudit
