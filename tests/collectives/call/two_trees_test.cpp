// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/patterns/two_trees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "collectives/patterns/trees.h"

namespace mpiaudit {
namespace {

std::vector<int> awkward_sizes() {
    std::vector<int> sizes;
    for (int p = 1; p <= 40; ++p) sizes.push_back(p);
    sizes.insert(sizes.end(), {63, 64, 65, 127, 128, 129, 560});
    return sizes;
}

/// Two edges that meet at a position at the same end never have a turn in the same round.
void expect_different_turns(const std::vector<TwoTrees::Edge>& edges) {
    for (const TwoTrees::Edge& one : edges)
        for (const TwoTrees::Edge& other : edges)
            if (&one != &other) {
                EXPECT_NE(one.first % 2, other.first % 2);
            }
}

TEST(TwoTrees, GiveEverybodyOneMessageInARound) {
    for (const int size : awkward_sizes()) {
        std::vector<TwoTrees> trees;
        for (int position = 0; position < size; ++position) trees.emplace_back(position, size);
        for (int position = 0; position < size; ++position) {
            SCOPED_TRACE(testing::Message() << position << " of " << size);
            const TwoTrees& here = trees[static_cast<std::size_t>(position)];
            EXPECT_EQ(here.incoming().size(), position > 0 ? 2U : 0U);
            expect_different_turns(here.incoming());
            expect_different_turns(here.outgoing());
            for (const TwoTrees::Edge& edge : here.outgoing()) {
                const auto& there = trees[static_cast<std::size_t>(edge.other)].incoming();
                EXPECT_TRUE(std::ranges::any_of(there, [&](const TwoTrees::Edge& end) {
                    return end.tree == edge.tree && end.other == position &&
                           end.first == edge.first;
                }));
                for (const TwoTrees::Edge& before : here.incoming())
                    if (before.tree == edge.tree) {
                        EXPECT_LT(before.first, edge.first);
                    }
            }
        }
    }
}

/// Returns how often a walk down from position 0 reaches each position.
template <class TreeOf>
std::vector<int> visits(int size, const TreeOf& tree_of) {
    std::vector<int> visited(static_cast<std::size_t>(size)), left = {0};
    while (!left.empty()) {
        const int position = left.back();
        left.pop_back();
        ++visited[static_cast<std::size_t>(position)];
        const TreePlace place = tree_of(position);
        for (const int child : {place.left, place.right}) {
            if (child < 0) continue;
            EXPECT_EQ(tree_of(child).parent, position) << child << " of " << size;
            left.push_back(child);
        }
    }
    return visited;
}

TEST(BinaryTrees, ReachEverybodyOnce) {
    for (const int size : awkward_sizes()) {
        const auto n = static_cast<std::size_t>(size);
        EXPECT_EQ(visits(size, [=](int position) { return preorder_tree(position, size); }),
                  std::vector<int>(n, 1));
        for (const std::size_t half : {0U, 1U}) {
            std::vector<int> expected(n);
            for (std::size_t i = 0; i < n; ++i)
                expected[i] = i == 0 || (i - 1) % 2 == half || (n % 2 == 0 && i + 1 == n);
            EXPECT_EQ(visits(size, [=](int at) { return split_trees(at, size)[half]; }), expected)
                << size;
        }
    }
}

}  // namespace
}  // namespace mpiaudit
