// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/node_tree.h"

#include "collectives/gather/fixed_tree.h"

namespace mpiaudit {
namespace {

/// fixed_tree() over the ranks begin, ..., end - 1, of which the first is the root.
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

/// What the root of a node's tree is in the one between nodes.
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

}  // namespace mpiaudit
