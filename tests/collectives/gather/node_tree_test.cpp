// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/patterns/gather_trees.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace mpiaudit {
namespace {

std::vector<GatherNode> all_places(int root, int ranks, int ranks_per_node, int radix) {
    std::vector<GatherNode> all;
    for (int rank = 0; rank < ranks; ++rank)
        all.push_back(node_tree(rank, root, ranks, ranks_per_node, radix));
    return all;
}

std::set<int> ranks_in(const Subtree& subtree, int ranks) {
    std::set<int> all;
    for (int i = 0; i < subtree.ranks; ++i) all.insert((subtree.first + i) % ranks);
    return all;
}

/// Every child knows its parent and what it sends, and a rank has itself and what it receives.
void expect_tree(const std::vector<GatherNode>& all, int root) {
    const auto ranks = static_cast<int>(all.size());
    for (int rank = 0; rank < ranks; ++rank) {
        const GatherNode& node = all[static_cast<std::size_t>(rank)];
        EXPECT_EQ(node.parent == -1, rank == root);
        std::set<int> had{rank};
        for (const Subtree& child : node.children) {
            const GatherNode& at_child = all[static_cast<std::size_t>(child.root)];
            EXPECT_EQ(at_child.parent, rank);
            EXPECT_EQ(at_child.own.first, child.first);
            EXPECT_EQ(at_child.own.ranks, child.ranks);
            for (const int each : ranks_in(child, ranks)) EXPECT_TRUE(had.insert(each).second);
        }
        if (rank != root) {
            EXPECT_EQ(had, ranks_in(node.own, ranks));
        }
        if (rank == root) {
            EXPECT_EQ(had.size(), all.size());
        }
    }
}

int messages_between_nodes(const std::vector<GatherNode>& all, int ranks_per_node) {
    int messages = 0;
    for (int rank = 0; rank < static_cast<int>(all.size()); ++rank) {
        const int parent = all[static_cast<std::size_t>(rank)].parent;
        messages += parent >= 0 && parent / ranks_per_node != rank / ranks_per_node;
    }
    return messages;
}

TEST(NodeTree, IsATreeWithOneMessageOutOfEveryNodeButTheRoots) {
    for (const int ranks_per_node : {1, 2, 3, 4, 7})
        for (const int nodes : {1, 2, 3, 5, 8})
            for (const int radix : {2, 3, 4})
                for (int root = 0; root < nodes * ranks_per_node; ++root) {
                    const auto all =
                        all_places(root, nodes * ranks_per_node, ranks_per_node, radix);
                    expect_tree(all, root);
                    EXPECT_EQ(messages_between_nodes(all, ranks_per_node), nodes - 1);
                }
}

TEST(NodeTree, WithoutNodesIsTheFixedTree) {
    for (int rank = 0; rank < 7; ++rank) {
        const GatherNode one = node_tree(rank, 3, 7, 0, 2), other = fixed_tree(rank, 3, 7, 2);
        EXPECT_EQ(one.parent, other.parent);
        EXPECT_EQ(one.own.ranks, other.own.ranks);
        EXPECT_EQ(one.children.size(), other.children.size());
    }
}

}  // namespace
}  // namespace mpiaudit
