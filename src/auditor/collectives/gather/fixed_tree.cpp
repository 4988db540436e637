// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/fixed_tree.h"

#include <algorithm>
#include <vector>

#include "collectives/call/tags.h"
#include "collectives/gather/subtree_order.h"
#include "messages/messages.h"

namespace mpiaudit {

GatherNode fixed_tree(int rank, int root, int ranks, int radix) {
    const auto actual = [&](std::int64_t relative) {
        return static_cast<int>((relative + root) % ranks);
    };
    const std::int64_t relative = (rank - root + ranks) % ranks;
    GatherNode node;
    std::int64_t width = 1;  // Of the subtrees of the children of this round.
    for (; width < ranks && relative / width % radix == 0; width *= radix)
        for (int child = 1; child < radix; ++child) {
            const std::int64_t first = relative + child * width;
            if (first >= ranks) break;
            const auto size = static_cast<int>(std::min(width, ranks - first));
            node.children.push_back({actual(first), actual(first), size, 0});
        }
    node.own = {rank, rank, static_cast<int>(std::min(width, ranks - relative)), 0};
    if (rank != root) node.parent = actual(relative - relative / width % radix * width);
    return node;
}

void tell_amounts(const RootedCall& call, GatherNode& node) {
    if (call.is_root()) {
        for (Subtree& child : node.children)
            child.amount = call.blocks.bytes(child.first, child.ranks);
        return;
    }
    messages::Requests requests;
    for (Subtree& child : node.children)
        requests.start_receive(&child.amount, 1, MPI_INT64_T, child.root, Tag::subtree_bytes,
                               call.ranks.comm);
    requests.wait_for_all();
    node.own.amount = call.own_bytes;
    for (const Subtree& child : node.children) node.own.amount += child.amount;
    if (node.parent != call.root())
        messages::send(&node.own.amount, 1, MPI_INT64_T, node.parent, Tag::subtree_bytes,
                       call.ranks.comm);
}

void set_regular_amounts(const RootedCall& call, GatherNode& node) {
    node.own.amount = node.own.ranks * call.own_bytes;
    for (Subtree& child : node.children) child.amount = child.ranks * call.own_bytes;
}

}  // namespace mpiaudit
