// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "collectives/call/copy.h"
#include "collectives/datatypes/layout.h"
#include "collectives/gather/gather.h"
#include "collectives/patterns/gather_trees.h"
#include "messages/scratch.h"

namespace mpiaudit {
namespace {

/// The blocks of a subtree as a row of messages of `blocks_per_segment` blocks, the last shorter.
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

/// Posts a receive for every segment from every child, where `place_of` says; in the order in
/// which the blocks lie, for so the subtrees of a fixed tree follow each other.
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

/// Number of blocks, this rank's own first, that are there once `received` segments have come.
std::vector<int> blocks_after(const RootedCall& call, const GatherNode& node,
                              int blocks_per_segment) {
    std::vector<int> blocks = {1};
    for (const Subtree& child : node.children)
        for (const Subtree& segment :
             segments_of(child, blocks_per_segment, call.ranks.size, call.own_bytes))
            blocks.push_back(blocks.back() + segment.ranks);
    return blocks;
}

void receive_and_forward(const RootedCall& call, const GatherNode& node, int blocks_per_segment) {
    const IntermediateType type(call.own.type);
    const auto bytes = static_cast<std::size_t>(node.own.amount);
    const Scratch buffer(bytes);
    const auto place_of = [&](const Subtree& segment) {
        const int offset = (segment.first - call.ranks.rank + call.ranks.size) % call.ranks.size;
        return type.buffer(buffer.get() + offset * call.own_bytes, segment.amount);
    };
    auto received = receive_segments(call, node, blocks_per_segment, place_of);
    copy_to_oneself(call.own, type.buffer(buffer.get(), call.own_bytes), call.ranks);
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
