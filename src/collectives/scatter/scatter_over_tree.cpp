// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scatter/scatter_over_tree.h"

#include <map>
#include <memory>
#include <ranges>
#include <vector>

#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/datatypes/intermediate_type.h"
#include "collectives/gather/subtree_order.h"

namespace mpiaudit {
namespace {

/// Starts to send to every child what `data_of` says, the last child first.
template <class DataOf>
std::vector<MPI_Request> send_to_children(const RootedCall& call, const GatherNode& node,
                                          DataOf data_of) {
    std::vector<MPI_Request> requests;
    for (const Subtree& child : node.children | std::views::reverse) {
        if (child.amount == 0) continue;
        // A send in progress keeps its datatype alive after it is freed here.
        const TypedBuffer data = data_of(child);
        MPI_Isend(data.address, data.count, data.type, child.root, Tag::data, call.ranks.comm,
                  &requests.emplace_back());
    }
    return requests;
}

void send_from_root(const RootedCall& call, const GatherNode& node) {
    auto requests = send_to_children(call, node, [&](const Subtree& child) {
        return call.blocks.message(child.first, child.ranks);
    });
    take_own_block(call);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void receive_from_parent(const RootedCall& call, const GatherNode& node, const TypedBuffer& data) {
    MPI_Recv(data.address, data.count, data.type, node.parent, Tag::data, call.ranks.comm,
             MPI_STATUS_IGNORE);
}

void receive_and_distribute(const RootedCall& call, const GatherNode& node) {
    const IntermediateType type(call.own.type);
    const auto bytes = static_cast<std::size_t>(node.own.amount);
    const auto blocks = std::make_unique_for_overwrite<char[]>(bytes);
    std::map<int, char*> place_of;
    char* place = blocks.get();
    for (const Subtree& piece : pieces_in_order(call, node)) {
        place_of[piece.root] = place;
        place += piece.amount;
    }
    receive_from_parent(call, node, type.buffer(blocks.get(), node.own.amount));
    auto requests = send_to_children(call, node, [&](const Subtree& child) {
        return type.buffer(place_of[child.root], child.amount);
    });
    copy_to_oneself(type.buffer(place_of[call.ranks.rank], call.own_bytes), call.own, call.ranks);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace

int scatter_over_tree(const RootedCall& call, const GatherNode& node) {
    if (call.is_root())
        send_from_root(call, node);
    else if (node.own.amount > call.own_bytes)
        receive_and_distribute(call, node);
    else if (call.own_bytes > 0)
        receive_from_parent(call, node, call.own);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
