// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <random>

#include "bench/gather_trees.h"

namespace mpiaudit {
namespace {

TEST(DistributedOrderedTree, is_the_tree_of_the_pure_function) {
    const Ranks ranks{MPI_COMM_WORLD};
    std::mt19937 random(5);
    for (int i = 0; i < 150; ++i) {
        std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks.size));
        // Many ties, many zeros, and amounts beyond the range of int.
        const std::int64_t unit = i % 3 == 2 ? std::int64_t{1} << 40 : 1;
        for (std::int64_t& size : sizes)
            size = unit * static_cast<std::int64_t>(random() % (i % 3 == 0 ? 3 : 100));
        const int root = static_cast<int>(random() % static_cast<unsigned>(ranks.size));
        for (const int given_root : {root, no_given_root})
            for (const OrderedTreeOptions& options :
                 {OrderedTreeOptions{}, {.radix = 3}, {.radix = 4}, {.threshold = 60 * unit}}) {
                if (given_root == no_given_root && options.degrades()) continue;
                SCOPED_TRACE("case " + std::to_string(i) + ", root " + std::to_string(given_root) +
                             ", radix " + std::to_string(options.radix));
                EXPECT_EQ(
                    distributed_ordered_tree(sizes[ranks.rank], given_root, ranks, options).node,
                    ordered_gather_tree(sizes, given_root, options)[ranks.rank]);
            }
    }
}

}  // namespace
}  // namespace mpiaudit
