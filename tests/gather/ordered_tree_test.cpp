// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/ordered_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>

#include "collectives/gather/gather_cost.h"

namespace mpiaudit {

bool operator==(const Subtree& a, const Subtree& b) {
    return a.root == b.root && a.first == b.first && a.ranks == b.ranks && a.amount == b.amount;
}

void PrintTo(const Subtree& subtree, std::ostream* out) {
    *out << "root " << subtree.root << " first " << subtree.first << " ranks " << subtree.ranks
         << " amount " << subtree.amount;
}

namespace {

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

TEST(OrderedTree, one_rank_is_its_root_without_cost) {
    const Sizes sizes = {7};
    const auto tree = ordered_gather_tree(sizes, 0);
    EXPECT_EQ(tree[0].parent, -1);
    EXPECT_EQ(tree[0].own, (Subtree{0, 0, 1, 7}));
    EXPECT_EQ(gather_cost(tree, {1, 1}), 0);
    EXPECT_EQ(construction_steps(sizes, 0), 0);
}

TEST(OrderedTree, ties_go_to_the_larger_amount_then_to_the_lower_cube) {
    EXPECT_EQ(root_of(ordered_gather_tree(Sizes{3, 4}, no_given_root)), 1);
    EXPECT_EQ(root_of(ordered_gather_tree(Sizes{4, 4}, no_given_root)), 0);
    // Gather times 2 (of 2 + 9) and 3 (of 3 + 3): the time decides before the amount.
    EXPECT_EQ(root_of(ordered_gather_tree(Sizes{2, 9, 3, 3}, no_given_root)), 2);
}

Sizes random_sizes(int ranks, const std::string& distribution, std::mt19937& random) {
    Sizes sizes(static_cast<std::size_t>(ranks));
    std::uniform_real_distribution<double> uniform(0, 1);
    for (std::int64_t& size : sizes) {
        const double u = uniform(random);
        if (distribution == "uniform") size = static_cast<std::int64_t>(1 + 1000 * u);
        if (distribution == "mostly zero") size = u < 0.9 ? 0 : static_cast<std::int64_t>(1e4 * u);
        // Pareto with infinite variance.
        if (distribution == "heavy tail") size = static_cast<std::int64_t>(std::pow(1 - u, -1.5));
        if (distribution == "zero") size = 0;
        if (distribution == "same") size = 17;
    }
    if (distribution == "single block") sizes[random() % sizes.size()] = 1000000;
    return sizes;
}

const std::vector<std::string> distributions = {"uniform", "mostly zero", "heavy tail",
                                                "zero",    "same",        "single block"};

int depth(const std::vector<GatherNode>& tree, int rank) {
    int deepest = 0;
    for (const Subtree& child : tree[rank].children)
        deepest = std::max(deepest, 1 + depth(tree, child.root));
    return deepest;
}

/// Every rank's own subtree is its own block and its children's ranges, without gap or overlap.
void expect_consistent(const std::vector<GatherNode>& tree, const Sizes& sizes) {
    for (int rank = 0; rank < static_cast<int>(tree.size()); ++rank) {
        const GatherNode& node = tree[rank];
        std::vector<Subtree> pieces = node.children;
        pieces.push_back({rank, rank, 1, sizes[rank]});
        std::ranges::sort(pieces, {}, &Subtree::first);
        int next = node.own.first;
        std::int64_t amount = 0;
        for (const Subtree& piece : pieces) {
            EXPECT_EQ(piece.first, next);
            next += piece.ranks;
            amount += piece.amount;
        }
        EXPECT_EQ(next, node.own.first + node.own.ranks);
        EXPECT_EQ(amount, node.own.amount);
        for (const Subtree& child : node.children) {
            EXPECT_EQ(tree[child.root].parent, rank);
            EXPECT_EQ(tree[child.root].own, child);
        }
    }
    EXPECT_EQ(tree[root_of(tree)].own.ranks, static_cast<int>(tree.size()));
}

template <class Check>
void for_random_problems(Check check) {
    std::mt19937 random(2017);
    for (const std::string& distribution : distributions)
        for (int i = 0; i < 40; ++i) {
            const int ranks = i < 20 ? i + 1 : static_cast<int>(1 + random() % 1000);
            const Sizes sizes = random_sizes(ranks, distribution, random);
            const int root = static_cast<int>(random() % static_cast<unsigned>(ranks));
            SCOPED_TRACE(distribution + ", p = " + std::to_string(ranks) + ", root " +
                         std::to_string(root));
            check(sizes, root);
            if (testing::Test::HasFailure()) return;
        }
}

TEST(OrderedTree, fulfils_theorem_1_for_any_root) {
    for_random_problems([](const Sizes& sizes, int root) {
        const auto tree = ordered_gather_tree(sizes, root);
        expect_consistent(tree, sizes);
        EXPECT_EQ(root_of(tree), root);
        for (const LinearModel model : {LinearModel{1, 1}, {1000, 1}, {0, 1}, {1, 0}}) {
            EXPECT_LE(gather_cost(tree, model), gather_cost_bound(tree, sizes, true, model));
            // The worst case of the penalty: less than what the bound charges anyway.
            EXPECT_LE(gather_cost_bound(tree, sizes, true, model),
                      2 * gather_cost_bound(tree, sizes, false, model));
        }
        EXPECT_LE(depth(tree, root), gather_rounds(static_cast<int>(sizes.size())));
    });
}

TEST(OrderedTree, fulfils_lemma_1_with_the_root_that_it_chooses) {
    for_random_problems([](const Sizes& sizes, int) {
        const auto tree = ordered_gather_tree(sizes, no_given_root);
        expect_consistent(tree, sizes);
        const int root = root_of(tree);
        const auto total = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
        const int ranks = static_cast<int>(sizes.size());
        for (const LinearModel model : {LinearModel{1, 1}, {1000, 1}, {0, 1}, {1, 0}}) {
            const double lemma_1 = gather_rounds(ranks) * model.alpha +
                                   model.beta * static_cast<double>(total - sizes[root]);
            EXPECT_LE(gather_cost(tree, model), lemma_1);
            EXPECT_EQ(gather_cost_bound(tree, sizes, false, model), lemma_1);
            const bool is_complete = (ranks & (ranks - 1)) == 0;
            if (is_complete && std::ranges::count(sizes, 0) == 0) {
                EXPECT_EQ(gather_cost(tree, model), lemma_1);
            }
        }
        EXPECT_LE(depth(tree, root), gather_rounds(ranks));
    });
}

TEST(OrderedTree, is_constructed_in_the_steps_of_lemma_3) {
    for_random_problems([](const Sizes& sizes, int root) {
        const int rounds = gather_rounds(static_cast<int>(sizes.size()));
        for (const int given_root : {root, no_given_root}) {
            EXPECT_LE(construction_steps(sizes, given_root), std::max(0, 2 * rounds - 1));
            EXPECT_GE(construction_steps(sizes, given_root), rounds);
        }
    });
}

TEST(OrderedTree, of_any_radix_spans_all_ranks_in_that_many_rounds) {
    for_random_problems([](const Sizes& sizes, int root) {
        for (const int radix : {3, 4, 7}) {
            const auto tree = ordered_gather_tree(sizes, root, {.radix = radix});
            expect_consistent(tree, sizes);
            EXPECT_EQ(root_of(tree), root);
            EXPECT_LE(depth(tree, root), gather_rounds(static_cast<int>(sizes.size()), radix));
        }
    });
}

TEST(OrderedTree, for_equal_blocks_is_known_to_every_rank) {
    for (int ranks = 1; ranks <= 40; ++ranks)
        for (int root = 0; root < ranks; ++root)
            for (const int radix : {2, 3, 4})
                for (const std::int64_t size : {0, 5}) {
                    const auto tree = ordered_gather_tree(
                        Sizes(static_cast<std::size_t>(ranks), size), root, {.radix = radix});
                    for (int rank = 0; rank < ranks; ++rank) {
                        const GatherNode node =
                            regular_ordered_node(rank, ranks, root, size, radix);
                        ASSERT_EQ(node.own, tree[rank].own);
                        ASSERT_EQ(node.parent, tree[rank].parent);
                        ASSERT_EQ(node.children, tree[rank].children);
                    }
                }
}

TEST(DegradingTree, sends_large_subtrees_directly_to_the_root) {
    // Without threshold: 1 -> 0, 2 -> 3, 0 -> 3 -> 7 and 5 -> 4, 6 -> 7, 4 -> 7.
    const Sizes sizes = {1, 0, 2, 9, 8, 1, 0, 0};
    const auto tree = ordered_gather_tree(sizes, 7, {.threshold = 2});
    EXPECT_TRUE(tree[2].is_direct);
    EXPECT_EQ(tree[2].parent, 7);
    EXPECT_THAT(tree[3].children, ElementsAre(Subtree{0, 0, 2, 1}));
    EXPECT_EQ(tree[3].own, (Subtree{3, 0, 4, 10}));
    // The root receives 3 in the tree anyway: it announces nothing.
    EXPECT_EQ(tree[3].parent, 7);
    EXPECT_FALSE(tree[3].is_direct);
    EXPECT_THAT(tree[7].children,
                ElementsAre(Subtree{6, 6, 1, 0}, Subtree{4, 4, 2, 9}, Subtree{3, 0, 4, 10}));
}

TEST(DegradingTree, moves_every_block_to_the_root) {
    for_random_problems([](const Sizes& sizes, int root) {
        const auto tree = ordered_gather_tree(sizes, root, {.threshold = 700});
        std::int64_t arrived = sizes[root];
        for (const GatherNode& node : tree) {
            if (node.parent == root) arrived += node.own.amount;
            if (node.is_direct) {
                EXPECT_GE(node.own.amount, 700);
            }
            // What is below the threshold or the root's own child is not announced.
            for (const Subtree& child : node.children) EXPECT_FALSE(tree[child.root].is_direct);
            if (node.parent != -1 && node.parent != root) {
                EXPECT_LT(node.own.amount, 700);
            }
        }
        EXPECT_EQ(arrived, std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
    });
}

TEST(GatherRounds, are_the_logarithm_rounded_up) {
    EXPECT_EQ(gather_rounds(1), 0);
    EXPECT_EQ(gather_rounds(2), 1);
    EXPECT_EQ(gather_rounds(3), 2);
    EXPECT_EQ(gather_rounds(1024), 10);
    EXPECT_EQ(gather_rounds(1025), 11);
    EXPECT_EQ(gather_rounds(9, 3), 2);
    EXPECT_EQ(gather_rounds(10, 3), 3);
}

}  // namespace
}  // namespace mpiaudit
