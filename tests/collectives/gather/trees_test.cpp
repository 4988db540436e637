// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <set>
#include <vector>

#include "collectives/patterns/gather_trees.h"
#include "gather_cost.h"
#include "tests/gather_trees.h"

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

/// Every child knows its parent and its message; a rank's messages are its own block and the
/// received ones.
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

TEST(NodeTree, IsTheFixedTreeWithoutNodes) {
    for (int rank = 0; rank < 7; ++rank)
        EXPECT_EQ(node_tree(rank, 3, 7, 0, 2), fixed_tree(rank, 3, 7, 2)) << rank;
}

using Sizes = std::vector<std::int64_t>;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(OrderedTree, is_that_of_figure_2) {
    const Sizes sizes = {1, 0, 2, 3, 4, 2, 0, 0, 1, 7, 5};
    const auto tree = ordered_gather_tree(sizes, 9);
    ASSERT_EQ(tree.size(), 11U);
    EXPECT_EQ(root_of(tree), 9);
    EXPECT_THAT(tree[0].children, ElementsAre(Subtree{1, 1, 1, 0}));
    EXPECT_THAT(tree[3].children,
                ElementsAre(Subtree{2, 2, 1, 2}, Subtree{0, 0, 2, 1}, Subtree{4, 4, 4, 6}));
    EXPECT_THAT(tree[4].children, ElementsAre(Subtree{5, 5, 1, 2}, Subtree{6, 6, 2, 0}));
    EXPECT_THAT(tree[6].children, ElementsAre(Subtree{7, 7, 1, 0}));
    EXPECT_THAT(tree[9].children,
                ElementsAre(Subtree{8, 8, 1, 1}, Subtree{10, 10, 1, 5}, Subtree{3, 0, 8, 12}));
    for (const int leaf : {1, 2, 5, 7, 8, 10}) EXPECT_THAT(tree[leaf].children, IsEmpty()) << leaf;
    const std::vector<int> parents = {3, 0, 3, 9, 3, 4, 4, 6, 9, -1, 9};
    for (int rank = 0; rank < 11; ++rank) EXPECT_EQ(tree[rank].parent, parents[rank]) << rank;
    EXPECT_EQ(tree[9].own, (Subtree{9, 0, 11, 25}));
}

TEST(OrderedTree, the_cost_of_figure_2_counts_every_message_of_the_root_and_its_waiting) {
    // Root 9 receives 1 + 5 units by time 2 a + 6 b. Rank 3 has 2 units, 1 unit and then the 6 of
    // rank 4 (ready after one message of 2: empty blocks are not sent) at 3 a + 9 b.
    const Sizes sizes = {1, 0, 2, 3, 4, 2, 0, 0, 1, 7, 5};
    const auto tree = ordered_gather_tree(sizes, 9);
    EXPECT_DOUBLE_EQ(gather_cost(tree, {1000, 1}), 4 * 1000 + 9 + 12);
    // The penalty of Lemma 2: 12 - 3 gathered by rank 3, of which 1 + 5 pass meanwhile.
    EXPECT_DOUBLE_EQ(gather_cost_bound(tree, sizes, true, {1000, 1}), 4 * 1000 + 18 + 3);
}

TEST(OrderedTree, ties_go_to_the_larger_amount_then_to_the_lower_cube) {
    EXPECT_EQ(root_of(ordered_gather_tree(Sizes{3, 4}, no_given_root)), 1);
    EXPECT_EQ(root_of(ordered_gather_tree(Sizes{4, 4}, no_given_root)), 0);
    // Gather times 2 (of 2 + 9) and 3 (of 3 + 3): the time decides before the amount.
    EXPECT_EQ(root_of(ordered_gather_tree(Sizes{2, 9, 3, 3}, no_given_root)), 2);
}

TEST(DegradingTree, sends_large_subtrees_directly_to_the_root) {
    // The tree without threshold: 1 -> 0, 2 -> 3, 0 -> 3 -> 7 and 5 -> 4, 6 -> 7, 4 -> 7.
    const Sizes sizes = {1, 0, 2, 9, 8, 1, 0, 0};
    const auto tree = ordered_gather_tree(sizes, 7, {.threshold = 2});
    EXPECT_TRUE(tree[2].is_direct);
    EXPECT_EQ(tree[2].parent, 7);
    EXPECT_THAT(tree[3].children, ElementsAre(Subtree{0, 0, 2, 1}));
    EXPECT_EQ(tree[3].own, (Subtree{3, 0, 4, 10}));
    // The root receives from 3 in the tree anyway, so 3 announces nothing.
    EXPECT_EQ(tree[3].parent, 7);
    EXPECT_FALSE(tree[3].is_direct);
    EXPECT_THAT(tree[7].children,
                ElementsAre(Subtree{6, 6, 1, 0}, Subtree{4, 4, 2, 9}, Subtree{3, 0, 4, 10}));
}

TEST(DegradingTree, never_announces_an_empty_subtree) {
    for (const GatherNode& node : ordered_gather_tree(Sizes{3, 4, 0, 0, 0}, 4, {.threshold = 0}))
        EXPECT_EQ(node.is_direct, node.own.root == 0);
}

}  // namespace
}  // namespace mpiaudit
