// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scatter/scatter.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <ranges>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/datatypes/layout.h"
#include "collectives/patterns/gather_trees.h"
#include "collectives/patterns/ordered_tree.h"
#include "collectives/patterns/trees.h"
#include "messages/scratch.h"

namespace mpiaudit {
namespace {

/// Starts sends of data_of(child) to all children, the last child first.
template <class DataOf>
messages::Requests send_to_children(const RootedCall& call, const GatherNode& node,
                                    DataOf data_of) {
    messages::Requests requests;
    for (const Subtree& child : node.children | std::views::reverse) {
        if (child.amount == 0) continue;
        // MPI keeps the datatype of a pending send after it is freed here.
        const TypedBuffer data = data_of(child);
        call.ranks.start_send(requests, data, child.root);
    }
    return requests;
}

void send_from_root(const RootedCall& call, const GatherNode& node) {
    auto requests = send_to_children(call, node, [&](const Subtree& child) {
        return call.blocks.message(child.first, child.ranks);
    });
    take_own_block(call);
    requests.wait_for_all();
}

void receive_from_parent(const RootedCall& call, const GatherNode& node, const TypedBuffer& data) {
    call.ranks.receive(data, node.parent);
}

/// Receives the blocks of the subtree from the parent, sends the blocks of each child, and keeps
/// the own block. Only ranks between the root and the leaves call this function.
void receive_and_distribute(const RootedCall& call, const GatherNode& node) {
    const IntermediateType type(call.own.type);
    const auto bytes = static_cast<std::size_t>(node.own.amount);
    const Scratch blocks(bytes, call.own.address);
    std::map<int, std::byte*> place_of;
    std::byte* place = blocks.get();
    for (const Subtree& piece : pieces_in_order(call, node)) {
        place_of[piece.root] = place;
        place += piece.amount;
    }
    receive_from_parent(call, node, type.buffer(blocks.get(), node.own.amount));
    auto requests = send_to_children(call, node, [&](const Subtree& child) {
        return type.buffer(place_of[child.root], child.amount);
    });
    copy_locally(type.buffer(place_of[call.ranks.rank], call.own_bytes), call.own, call.ranks);
    requests.wait_for_all();
}

void scatter_from_parent(const RootedCall& call, const GatherNode& node) {
    if (node.own.amount > call.own_bytes)
        receive_and_distribute(call, node);
    else if (call.own_bytes > 0)
        receive_from_parent(call, node, call.own);
}

/// Sends to the subtrees with most ranks first, which pass on most messages.
void send_to_subtrees(const RootedCall& call, const std::vector<Subtree>& children,
                      const std::vector<Subtree>& direct) {
    std::vector<Subtree> all = children;
    all.insert(all.end(), direct.begin(), direct.end());
    std::ranges::stable_sort(all, std::ranges::greater{}, &Subtree::ranks);
    messages::Requests requests;
    for (const Subtree& subtree : all) {
        const TypedBuffer data = call.blocks.message(ranks_without(subtree, direct));
        if (data.count == 0) continue;
        call.ranks.start_send(requests, data, subtree.root);
    }
    take_own_block(call);
    requests.wait_for_all();
}

}  // namespace

// Moves the blocks down a gather tree, given this rank's node with amounts in bytes: one receive
// from the parent, then non-blocking sends to the children, first to those that a gather receives
// last, since their subtrees are the deepest. The root sends from the blocks' places, with a
// datatype per child if necessary; leaves receive into the caller's buffer; empty subtrees receive
// nothing.
void scatter_along(TreeOf tree, const RootedCall& call) {
    const GatherNode node = tree(call);
    if (call.is_root())
        send_from_root(call, node);
    else
        scatter_from_parent(call, node);
}

int scatter_by(RootedMove move, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
               void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    move(rooted_call({recvbuf, recvcount, recvtype}, {sendbuf, sendcount, sendtype}, root, comm));
    return MPI_SUCCESS;
}

int scatterv_by(RootedMove move, const void* sendbuf, const int sendcounts[], const int displs[],
                MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                int root, MPI_Comm comm) {
    move(rooted_call({recvbuf, recvcount, recvtype}, {sendbuf, sendcounts, displs, sendtype}, root,
                     comm));
    return MPI_SUCCESS;
}

void scatter_degrading(std::int64_t threshold_bytes, const RootedCall& call) {
    const DegradingTree tree = degrading_tree(call, threshold_bytes);
    if (call.is_root())
        send_to_subtrees(call, tree.node.children, tree.direct);
    else
        scatter_from_parent(call, tree.node);
}

}  // namespace mpiaudit
