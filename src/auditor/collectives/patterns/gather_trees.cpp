// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/patterns/gather_trees.h"

#include <algorithm>
#include <array>
#include <utility>

#include "collectives/call/blocks.h"
#include "collectives/datatypes/layout.h"
#include "collectives/patterns/node_communicators.h"
#include "collectives/patterns/ordered_tree.h"
#include "messages/kept_with.h"

namespace mpiaudit {

/// Describes a call of a gather or scatter on this rank. Only the root has `blocks`; with
/// MPI_IN_PLACE the root has no `own`.
RootedCall rooted_call(const TypedBuffer& own, const BlocksAtRoot& all, int root, MPI_Comm comm) {
    RootedCall call{Ranks{comm, root}, false, {}, 0, {}, all.is_regular};
    call.is_in_place = call.is_root() && own.address == MPI_IN_PLACE;
    if (!call.is_in_place) {
        call.own = {own.address, own.count, own.type};
        call.own_bytes = own.count * type_bytes(own.type);
    }
    if (call.is_root()) {
        const int ranks = call.ranks.size;
        call.blocks = all.is_regular ? Blocks::equal(all.buffer, all.count_of_each, all.type, ranks)
                                     : Blocks::irregular(all.buffer, all.counts, all.displacements,
                                                         all.type, ranks);
        call.own_bytes = call.blocks.bytes(root);
    }
    return call;
}

void place_own_block(const RootedCall& call) {
    if (!call.is_in_place) copy_locally(call.own, call.blocks.message(call.root()), call.ranks);
}

void take_own_block(const RootedCall& call) {
    if (!call.is_in_place) copy_locally(call.blocks.message(call.root()), call.own, call.ranks);
}

std::vector<Subtree> pieces_in_order(const RootedCall& call, const GatherNode& node) {
    std::vector<Subtree> pieces = node.children;
    pieces.push_back({call.ranks.rank, call.ranks.rank, 1, call.own_bytes});
    std::ranges::sort(pieces, {}, [&](const Subtree& piece) {
        return (piece.first - node.own.first + call.ranks.size) % call.ranks.size;
    });
    return pieces;
}

GatherNode fixed_tree(int rank, int root, int ranks, int radix) {
    const auto actual = [&](std::int64_t relative) {
        return static_cast<int>((relative + root) % ranks);
    };
    const std::int64_t relative = (rank - root + ranks) % ranks;
    GatherNode node;
    std::int64_t width = 1;  // of the subtrees of this round's children
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
        call.ranks.start_receive(requests, {&child.amount, 1, MPI_INT64_T}, child.root,
                                 Tag::subtree_bytes);
    requests.wait_for_all();
    node.own.amount = call.own_bytes;
    for (const Subtree& child : node.children) node.own.amount += child.amount;
    if (node.parent != call.root())
        call.ranks.send({&node.own.amount, 1, MPI_INT64_T}, node.parent, Tag::subtree_bytes);
}

void set_regular_amounts(const RootedCall& call, GatherNode& node) {
    node.own.amount = node.own.ranks * call.own_bytes;
    for (Subtree& child : node.children) child.amount = child.ranks * call.own_bytes;
}

namespace {

/// Returns fixed_tree() over the ranks begin, ..., end - 1 with root `begin`.
GatherNode tree_of_range(int rank, int begin, int end, int radix) {
    GatherNode node = fixed_tree(rank - begin, 0, end - begin, radix);
    node.own.root += begin;
    node.own.first += begin;
    if (node.parent >= 0) node.parent += begin;
    for (Subtree& child : node.children) {
        child.root += begin;
        child.first += begin;
    }
    return node;
}

/// Adds the tree between nodes to the root of a node's tree.
void join_between_nodes(GatherNode& node, int rank, int root, int ranks, int ranks_per_node,
                        int radix) {
    const int roots_node = root / ranks_per_node;
    const GatherNode between =
        fixed_tree(rank / ranks_per_node, roots_node, ranks / ranks_per_node, radix);
    for (const Subtree& child : between.children)
        node.children.push_back({child.root * ranks_per_node, child.first * ranks_per_node,
                                 child.ranks * ranks_per_node, 0});
    node.own.ranks = between.own.ranks * ranks_per_node;
    if (rank != root)
        node.parent = between.parent == roots_node ? root : between.parent * ranks_per_node;
}

}  // namespace

GatherNode node_tree(int rank, int root, int ranks, int ranks_per_node, int radix) {
    if (ranks_per_node == 0) return fixed_tree(rank, root, ranks, radix);
    const int first = rank / ranks_per_node * ranks_per_node;
    const int end = first + ranks_per_node;
    const bool is_with_root = first <= root && root < end;
    if (is_with_root && rank < root) {
        GatherNode node = tree_of_range(rank, first, root, radix);
        if (rank == first) node.parent = root;
        return node;
    }
    const int leader = is_with_root ? root : first;
    GatherNode node = tree_of_range(rank, leader, end, radix);
    if (rank != leader) return node;
    if (is_with_root && first < root) node.children.push_back({first, first, root - first, 0});
    join_between_nodes(node, rank, root, ranks, ranks_per_node, radix);
    return node;
}

namespace trees {
namespace {

GatherNode with_amounts(const RootedCall& call, GatherNode node) {
    if (call.is_regular)
        set_regular_amounts(call, node);
    else
        tell_amounts(call, node);
    return node;
}

}  // namespace

GatherNode linear(const RootedCall& call) {
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

template <int radix>
GatherNode knomial(const RootedCall& call) {
    return with_amounts(call, fixed_tree(call.ranks.rank, call.root(), call.ranks.size, radix));
}

template <int radix>
GatherNode on_nodes(const RootedCall& call) {
    return with_amounts(call, node_tree(call.ranks.rank, call.root(), call.ranks.size,
                                        node_split(call.ranks.callers).ranks_per_node, radix));
}

template <int radix>
GatherNode ordered(const RootedCall& call) {
    if (call.is_regular)
        return regular_ordered_node(call.ranks.rank, call.ranks.size, call.root(), call.own_bytes,
                                    radix);
    return distributed_ordered_tree(call.own_bytes, call.root(), call.ranks, {.radix = radix}).node;
}

template GatherNode knomial<2>(const RootedCall&);
template GatherNode knomial<3>(const RootedCall&);
template GatherNode knomial<4>(const RootedCall&);
template GatherNode on_nodes<2>(const RootedCall&);
template GatherNode on_nodes<3>(const RootedCall&);
template GatherNode on_nodes<4>(const RootedCall&);
template GatherNode ordered<2>(const RootedCall&);
template GatherNode ordered<3>(const RootedCall&);
template GatherNode ordered<4>(const RootedCall&);

}  // namespace trees

namespace {

struct Announcement {
    std::int64_t call_number;
    Subtree subtree;
};

/// State kept with the communicator.
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

/// Returns the `count` subtrees that communicate directly with the root in this call. The root
/// knows their number from the construction of the tree but not their roots, so it receives
/// announcements from any rank. A rank that waits for nobody may already announce for a later call:
/// such announcements are kept.
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
    // Every rank counts these operations on the communicator, so all ranks have equal numbers.
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
