// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scatter/scatter_over_tree.h"

#include <cstddef>
#include <map>
#include <ranges>
#include <vector>

#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/datatypes/intermediate_type.h"
#include "collectives/gather/subtree_order.h"
#include "messages/scratch.h"

namespace mpiaudit {
namespace {

/// Starts to send to every child what `data_of` says, the last child first.
template <class DataOf>
messages::Requests send_to_children(const RootedCall& call, const GatherNode& node,
                                    DataOf data_of) {
    messages::Requests requests;
    for (const Subtree& child : node.children | std::views::reverse) {
        if (child.amount == 0) continue;
        // A send in progress keeps its datatype alive after it is freed here.
        const TypedBuffer data = data_of(child);
        requests.start_send(data.address, data.count, data.type, child.root, Tag::data,
                            call.ranks.comm);
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
    messages::receive(data.address, data.count, data.type, node.parent, Tag::data, call.ranks.comm);
}

void receive_and_distribute(const RootedCall& call, const GatherNode& node) {
    const IntermediateType type(call.own.type);
    const auto bytes = static_cast<std::size_t>(node.own.amount);
    const Scratch blocks(bytes);
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
    copy_to_oneself(type.buffer(place_of[call.ranks.rank], call.own_bytes), call.own, call.ranks);
    requests.wait_for_all();
}

}  // namespace

void scatter_from_parent(const RootedCall& call, const GatherNode& node) {
    if (node.own.amount > call.own_bytes)
        receive_and_distribute(call, node);
    else if (call.own_bytes > 0)
        receive_from_parent(call, node, call.own);
}

int scatter_over_tree(const RootedCall& call, const GatherNode& node) {
    if (call.is_root())
        send_from_root(call, node);
    else
        scatter_from_parent(call, node);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
