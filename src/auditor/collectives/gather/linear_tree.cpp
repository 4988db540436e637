// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/linear_tree.h"

namespace mpiaudit {

GatherNode linear_tree(const RootedCall& call) {
    GatherNode node;
    node.own = {call.ranks.rank, call.ranks.rank, 1, call.own_bytes};
    if (!call.is_root()) {
        node.parent = call.root();
        return node;
    }
    for (int rank = 0; rank < call.ranks.size; ++rank)
        if (rank != call.root()) node.children.push_back({rank, rank, 1, call.blocks.bytes(rank)});
    return node;
}

}  // namespace mpiaudit
