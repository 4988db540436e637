// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <string>

#include "gather_cost.h"
#include "optimal_trees/optimal_tree.h"

namespace mpiaudit {
namespace {

using Sizes = std::vector<std::int64_t>;

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
        for (int i = 0; i < 24; ++i) {
            const int ranks = i < 12 ? i + 1 : static_cast<int>(1 + random() % 1000);
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
        for (const LinearModel& model : {LinearModel{1, 1}, {1000, 1}, {0, 1}, {1, 0}}) {
            EXPECT_LE(gather_cost(tree, model), gather_cost_bound(tree, sizes, true, model));
            // The worst case of the penalty is less than the bound charges anyway.
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
        for (const LinearModel& model : {LinearModel{1, 1}, {1000, 1}, {0, 1}, {1, 0}}) {
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
    for (int ranks = 1; ranks <= 20; ++ranks)
        for (int root = 0; root < ranks; ++root)
            for (const int radix : {2, 3, 4})
                for (const std::int64_t size : {0, 5}) {
                    const auto tree = ordered_gather_tree(
                        Sizes(static_cast<std::size_t>(ranks), size), root, {.radix = radix});
                    for (int rank = 0; rank < ranks; ++rank)
                        ASSERT_EQ(regular_ordered_node(rank, ranks, root, size, radix), tree[rank]);
                }
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
            // Subtrees below the threshold and the root's own children are not announced.
            for (const Subtree& child : node.children) EXPECT_FALSE(tree[child.root].is_direct);
            if (node.parent != -1 && node.parent != root) {
                EXPECT_LT(node.own.amount, 700);
            }
        }
        EXPECT_EQ(arrived, std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
    });
}

std::int64_t completion_time(const std::vector<GatherNode>& tree, std::int64_t startup) {
    return static_cast<std::int64_t>(gather_cost(tree, {static_cast<double>(startup), 1}));
}

/// Returns the best time of all cuts into up to ports + 1 parts and all receivers.
std::int64_t best_of_all_cuts(std::span<const std::int64_t> sizes, int root, std::int64_t startup,
                              int ports) {
    const auto ranks = static_cast<int>(sizes.size());
    if (ranks == 1) return 0;
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    for (unsigned cuts = 1; cuts < 1U << (ranks - 1); ++cuts) {
        if (std::popcount(cuts) > ports) continue;
        std::vector<std::pair<int, int>> parts{{0, 0}};  // from, to
        for (int rank = 1; rank <= ranks; ++rank) {
            parts.back().second = rank;
            if (rank < ranks && (cuts >> (rank - 1) & 1U)) parts.emplace_back(rank, rank);
        }
        std::int64_t done = 0;
        std::vector<std::int64_t> amounts;
        std::size_t home = parts.size();
        for (const auto& [from, to] : parts) {
            const auto part =
                sizes.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
            done = std::max(done, best_of_all_cuts(part, root - from, startup, ports));
            if (from <= root && root < to) home = amounts.size();
            amounts.push_back(std::accumulate(part.begin(), part.end(), std::int64_t{0}));
        }
        for (std::size_t receiver = 0; receiver < parts.size(); ++receiver) {
            if (home < parts.size() && receiver != home) continue;
            std::int64_t sent = 0;
            for (std::size_t k = 0; k < parts.size(); ++k)
                if (k != receiver) sent = std::max(sent, amounts[k]);
            best = std::min(best, done + (sent > 0 ? startup + sent : 0));
        }
    }
    return best;
}

TEST(OptimalTree, NoCutsAreBetter) {
    std::mt19937 random(7);
    for (const std::string& distribution : distributions)
        for (const int p : {1, 2, 3, 4, 7})
            for (const int ports : {1, 2, 3})
                for (const int root : {0, p / 2, p - 1}) {
                    const Sizes sizes = random_sizes(p, distribution, random);
                    for (const std::int64_t startup : {0, 100, 10000})
                        EXPECT_EQ(optimal_completion_time(sizes, root, startup, ports),
                                  best_of_all_cuts(sizes, root, startup, ports))
                            << testing::PrintToString(sizes) << " to " << root << ", " << ports;
                }
}

TEST(OptimalTree, TakesThatTimeWithOnePortAndNoLongerThanTheOrderedTreeOrFewerPorts) {
    std::mt19937 random(6);
    for (const std::string& distribution : distributions)
        for (int p = 1; p <= 40; ++p) {
            const Sizes sizes = random_sizes(p, distribution, random);
            const int root = p / 3;
            const auto tree = optimal_gather_tree(sizes, root, 200);
            expect_consistent(tree, sizes);
            EXPECT_EQ(root_of(tree), root);
            EXPECT_EQ(optimal_completion_time(sizes, root, 200, 1), completion_time(tree, 200));
            EXPECT_EQ(ordered_completion_time(sizes, root, 200, 1),
                      completion_time(ordered_gather_tree(sizes, root), 200));
            std::int64_t with_fewer = completion_time(tree, 200);
            for (const int ports : {1, 2, 3}) {
                const std::int64_t optimal = optimal_completion_time(sizes, root, 200, ports);
                EXPECT_LE(optimal, with_fewer);
                EXPECT_LE(optimal, ordered_completion_time(sizes, root, 200, ports));
                with_fewer = optimal;
            }
        }
}

}  // namespace
}  // namespace mpiaudit
