// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/gather_over_tree.h"

#include <algorithm>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/datatypes/layout.h"
#include "collectives/gather/gather.h"
#include "collectives/patterns/gather_trees.h"
#include "collectives/patterns/ordered_tree.h"
#include "collectives/patterns/trees.h"
#include "messages/scratch.h"

namespace mpiaudit {
namespace {

int first_of_held(const HeldBlocks& held) {
    return held.blocks.first;
}

void receive_at_root(const RootedCall& call, const GatherNode& node) {
    messages::Requests requests;
    for (const Subtree& child : node.children) {
        if (child.amount == 0) continue;
        // MPI keeps the datatype of a pending receive after it is freed here.
        const TypedBuffer place = call.blocks.message(child.first, child.ranks);
        call.ranks.start_receive(requests, place, child.root);
    }
    place_own_block(call);
    requests.wait_for_all();
}

void send_to_parent(const RootedCall& call, const GatherNode& node, const TypedBuffer& data) {
    call.ranks.send(data, node.parent);
}

/// Receives the blocks of this rank's subtree and sends all of them in rank order.
void receive_and_forward(const RootedCall& call, const GatherNode& node,
                         std::span<const HeldBlocks> held) {
    const IntermediateType type(call.own.type);
    const Scratch blocks(static_cast<std::size_t>(node.own.amount), call.own.address);
    messages::Requests requests;
    TypedBuffer own_place;
    std::byte* place = blocks.get();
    GatherNode with_held = node;
    for (const HeldBlocks& each : held) with_held.children.push_back(each.blocks);
    for (const Subtree& piece : pieces_in_order(call, with_held)) {
        TypedBuffer data = type.buffer(place, piece.amount);
        place += piece.amount;
        const auto here = std::ranges::find(held, piece.first, first_of_held);
        int position = 0;
        if (here != held.end())
            unpack({here->packed, static_cast<std::size_t>(piece.amount)}, position, data,
                   call.ranks);
        else if (piece.root == call.ranks.rank)
            own_place = std::move(data);
        else if (piece.amount > 0)
            call.ranks.start_receive(requests, data, piece.root);
    }
    copy_locally(call.own, own_place, call.ranks);
    requests.wait_for_all();
    send_to_parent(call, node, type.buffer(blocks.get(), node.own.amount));
}

}  // namespace

void gather_to_parent(const RootedCall& call, const GatherNode& node,
                      std::span<const HeldBlocks> held) {
    if (node.own.amount > call.own_bytes)
        receive_and_forward(call, node, held);
    else if (call.own_bytes > 0)
        send_to_parent(call, node, call.own);
}

void gather_over_tree(const RootedCall& call, const GatherNode& node) {
    if (call.is_root())
        receive_at_root(call, node);
    else
        gather_to_parent(call, node);
}

void gather_along(TreeOf tree, const RootedCall& call) {
    gather_over_tree(call, tree(call));
}

int gather_by(RootedMove move, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
              void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    move(rooted_call({sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, root, comm));
    return MPI_SUCCESS;
}

int gatherv_by(RootedMove move, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
               void* recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
               int root, MPI_Comm comm) {
    move(rooted_call({sendbuf, sendcount, sendtype}, {recvbuf, recvcounts, displs, recvtype}, root,
                     comm));
    return MPI_SUCCESS;
}

namespace {

void receive_at_root(const RootedCall& call, const std::vector<Subtree>& children,
                     const std::vector<Subtree>& direct) {
    messages::Requests requests;
    const auto receive = [&](const Subtree& subtree) {
        const TypedBuffer place = call.blocks.message(ranks_without(subtree, direct));
        if (place.count == 0) return;
        call.ranks.start_receive(requests, place, subtree.root);
    };
    std::ranges::for_each(children, receive);
    std::ranges::for_each(direct, receive);
    place_own_block(call);
    requests.wait_for_all();
}

}  // namespace

void gather_degrading(std::int64_t threshold_bytes, const RootedCall& call) {
    const DegradingTree tree = degrading_tree(call, threshold_bytes);
    if (call.is_root())
        receive_at_root(call, tree.node.children, tree.direct);
    else
        gather_to_parent(call, tree.node);
}

namespace {

/// Splits the blocks of a subtree into messages of `blocks_per_segment` blocks; the last may be
/// shorter.
std::vector<Subtree> segments_of(const Subtree& subtree, int blocks_per_segment, int ranks,
                                 std::int64_t block_bytes) {
    std::vector<Subtree> segments;
    for (int done = 0; done < subtree.ranks; done += blocks_per_segment) {
        const int blocks = std::min(blocks_per_segment, subtree.ranks - done);
        segments.push_back(
            {subtree.root, (subtree.first + done) % ranks, blocks, blocks * block_bytes});
    }
    return segments;
}

/// Posts a receive for every segment from every child at place_of(segment), in the order of the
/// blocks: so the subtrees of a fixed tree follow each other.
template <class PlaceOf>
messages::Requests receive_segments(const RootedCall& call, const GatherNode& node,
                                    int blocks_per_segment, PlaceOf place_of) {
    messages::Requests requests;
    for (const Subtree& child : node.children)
        for (const Subtree& segment :
             segments_of(child, blocks_per_segment, call.ranks.size, call.own_bytes)) {
            const TypedBuffer place = place_of(segment);
            call.ranks.start_receive(requests, place, child.root);
        }
    return requests;
}

void receive_at_root(const RootedCall& call, const GatherNode& node, int blocks_per_segment) {
    auto requests = receive_segments(call, node, blocks_per_segment, [&](const Subtree& segment) {
        return call.blocks.message(segment.first, segment.ranks);
    });
    place_own_block(call);
    requests.wait_for_all();
}

/// Returns the number of blocks (including this rank's own) available after each number of received
/// segments.
std::vector<int> blocks_after(const RootedCall& call, const GatherNode& node,
                              int blocks_per_segment) {
    std::vector<int> blocks = {1};
    for (const Subtree& child : node.children)
        for (const Subtree& segment :
             segments_of(child, blocks_per_segment, call.ranks.size, call.own_bytes))
            blocks.push_back(blocks.back() + segment.ranks);
    return blocks;
}

/// Receives the segments of all children, adds the own block, and sends each segment to the parent
/// when all its blocks are there. Only ranks between the root and the leaves call this function.
void receive_and_forward(const RootedCall& call, const GatherNode& node, int blocks_per_segment) {
    const IntermediateType type(call.own.type);
    const auto bytes = static_cast<std::size_t>(node.own.amount);
    const Scratch buffer(bytes, call.own.address);
    const auto place_of = [&](const Subtree& segment) {
        const int offset = (segment.first - call.ranks.rank + call.ranks.size) % call.ranks.size;
        return type.buffer(buffer.get() + offset * call.own_bytes, segment.amount);
    };
    auto received = receive_segments(call, node, blocks_per_segment, place_of);
    copy_locally(call.own, type.buffer(buffer.get(), call.own_bytes), call.ranks);
    const std::vector<int> blocks = blocks_after(call, node, blocks_per_segment);
    messages::Requests sent;
    int needed = 0;
    std::size_t arrived = 0;
    for (const Subtree& segment :
         segments_of(node.own, blocks_per_segment, call.ranks.size, call.own_bytes)) {
        needed += segment.ranks;
        for (; blocks[arrived] < needed; ++arrived) received.wait(arrived);
        const TypedBuffer data = place_of(segment);
        call.ranks.start_send(sent, data, node.parent);
    }
    sent.wait_for_all();
}

}  // namespace

void gather_in_segments(std::int64_t segment_bytes, const RootedCall& call) {
    if (call.own_bytes == 0) return;
    GatherNode node = fixed_tree(call.ranks.rank, call.root(), call.ranks.size, 2);
    set_regular_amounts(call, node);
    const int blocks_per_segment = static_cast<int>(
        std::clamp<std::int64_t>(segment_bytes / call.own_bytes, 1, call.ranks.size));
    if (call.is_root())
        receive_at_root(call, node, blocks_per_segment);
    else if (!node.children.empty())
        receive_and_forward(call, node, blocks_per_segment);
    else
        call.ranks.send(call.own, node.parent);
}

}  // namespace mpiaudit
