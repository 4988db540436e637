// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/patterns/gather_trees.h"

#include <algorithm>
#include <array>
#include <utility>

#include "collectives/patterns/ordered_tree.h"
#include "messages/kept_with.h"

namespace mpiaudit {
namespace {

struct Announcement {
    std::int64_t call_number;
    Subtree subtree;
};

/// Kept with the communicator.
struct DegradingCalls {
    std::int64_t next_number = 0;
    std::vector<Announcement> early;
};

Announcement receive_announcement(MPI_Comm comm) {
    std::array<std::int64_t, 3> message{};
    const int source = messages::receive_from_any(message.data(), static_cast<int>(message.size()),
                                                  MPI_INT64_T, Tag::direct_subtree, comm);
    return {message[0], {source, static_cast<int>(message[1]), static_cast<int>(message[2]), 0}};
}

/// At the root: the `count` subtrees that deal directly with it in this call. It knows their number
/// from the construction of the tree but not their roots, so it takes announcements from any rank.
/// A rank that needs to wait for nobody may already announce for a later call: that announcement is
/// kept for it.
std::vector<Subtree> direct_subtrees(std::int64_t count, std::int64_t call_number,
                                     const Ranks& ranks) {
    std::vector<Announcement>& early = kept_with<DegradingCalls>(ranks.comm).early;
    std::vector<Subtree> subtrees;
    const auto keep_others = [&](const Announcement& announcement) {
        if (announcement.call_number != call_number) return false;
        subtrees.push_back(announcement.subtree);
        return true;
    };
    std::erase_if(early, keep_others);
    while (std::ssize(subtrees) < count) {
        const Announcement announcement = receive_announcement(ranks.comm);
        if (announcement.call_number == call_number)
            subtrees.push_back(announcement.subtree);
        else
            early.push_back(announcement);
    }
    std::ranges::sort(subtrees, {}, [](const Subtree& subtree) {
        return std::pair(subtree.first, -subtree.ranks);
    });
    return subtrees;
}

}  // namespace

DegradingTree degrading_tree(const RootedCall& call, std::int64_t threshold_bytes) {
    // Every rank counts every such operation on the communicator, so all have the same number.
    const std::int64_t call_number = kept_with<DegradingCalls>(call.ranks.comm).next_number++;
    auto [node, cube] = distributed_ordered_tree(call.own_bytes, call.root(), call.ranks,
                                                 {.threshold = threshold_bytes});
    if (call.is_root())
        return {std::move(node), direct_subtrees(cube.direct_subtrees, call_number, call.ranks)};
    if (node.is_direct) {
        const std::array<std::int64_t, 3> message = {call_number, node.own.first, node.own.ranks};
        call.ranks.send({message.data(), static_cast<int>(message.size()), MPI_INT64_T},
                        call.root(), Tag::direct_subtree);
    }
    return {std::move(node), {}};
}

std::vector<int> ranks_without(const Subtree& subtree, const std::vector<Subtree>& direct) {
    const int end = subtree.first + subtree.ranks;
    std::vector<int> ranks;
    int next = subtree.first;
    const auto take_until = [&](int last) {
        for (; next < last; ++next) ranks.push_back(next);
    };
    for (auto inner = std::ranges::lower_bound(direct, next, {}, &Subtree::first);
         inner != direct.end() && inner->first < end; ++inner) {
        const bool is_inside = inner->ranks < subtree.ranks;
        if (!is_inside || inner->first < next) continue;
        take_until(inner->first);
        next = inner->first + inner->ranks;
    }
    take_until(end);
    return ranks;
}

}  // namespace mpiaudit
