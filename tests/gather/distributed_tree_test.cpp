// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <random>

#include "collectives/gather/distributed_ordered_tree.h"
#include "mpi/private_communicator.h"

namespace mpiaudit {
namespace {

bool is_same(const Subtree& a, const Subtree& b) {
    return a.root == b.root && a.first == b.first && a.ranks == b.ranks && a.amount == b.amount;
}

void expect_same(const GatherNode& distributed, const GatherNode& pure) {
    EXPECT_TRUE(is_same(distributed.own, pure.own));
    EXPECT_EQ(distributed.parent, pure.parent);
    EXPECT_EQ(distributed.is_direct, pure.is_direct);
    ASSERT_EQ(distributed.children.size(), pure.children.size());
    for (std::size_t i = 0; i < pure.children.size(); ++i)
        EXPECT_TRUE(is_same(distributed.children[i], pure.children[i])) << i;
}

TEST(DistributedOrderedTree, is_the_tree_of_the_pure_function) {
    const MPI_Comm comm = private_communicator(MPI_COMM_WORLD);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    std::mt19937 random(5);
    for (int i = 0; i < 150; ++i) {
        std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks));
        // Many ties, many zeros, and amounts beyond the range of int.
        const std::int64_t unit = i % 3 == 2 ? std::int64_t{1} << 40 : 1;
        for (std::int64_t& size : sizes)
            size = unit * static_cast<std::int64_t>(random() % (i % 3 == 0 ? 3 : 100));
        const int root = static_cast<int>(random() % static_cast<unsigned>(ranks));
        for (const int given_root : {root, no_given_root})
            for (const OrderedTreeOptions& options :
                 {OrderedTreeOptions{}, {.radix = 3}, {.radix = 4}, {.threshold = 60 * unit}}) {
                if (given_root == no_given_root && options.degrades()) continue;
                SCOPED_TRACE("case " + std::to_string(i) + ", root " + std::to_string(given_root) +
                             ", radix " + std::to_string(options.radix));
                expect_same(distributed_ordered_tree(sizes[rank], given_root, comm, options).node,
                            ordered_gather_tree(sizes, given_root, options)[rank]);
            }
    }
}

}  // namespace
}  // namespace mpiaudit
