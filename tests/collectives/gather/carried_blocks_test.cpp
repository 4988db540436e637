// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <random>

#include "collectives/gather/gather.h"
#include "collectives/patterns/gather_trees.h"
#include "messages/recorder.h"
#include "messages/scratch.h"

// Real data of more ranks than processes: blocks that pass through several ranks.
namespace mpiaudit {
namespace {

struct Gathered {
    std::vector<int> counts, displacements;
    std::vector<std::vector<int>> sent;  ///< of each rank
    std::vector<int> expected;
};

Gathered blocks_of(const std::vector<int>& counts) {
    Gathered blocks{counts, {}, {}, {}};
    for (const int count : counts) {
        blocks.displacements.push_back(static_cast<int>(blocks.expected.size()));
        std::vector<int>& own = blocks.sent.emplace_back();
        for (int i = 0; i < count; ++i) own.push_back(static_cast<int>(blocks.expected.size()) + i);
        blocks.expected.insert(blocks.expected.end(), own.begin(), own.end());
    }
    return blocks;
}

std::vector<int> gathered(const Gathered& blocks, int root, std::int64_t most_bytes) {
    std::vector<int> received(blocks.expected.size(), -1);
    replay(static_cast<int>(blocks.sent.size()), [&](int rank) {
        return [&, rank] {
            const OnControlData real;
            const std::vector<int>& own = blocks.sent[static_cast<std::size_t>(rank)];
            gather_carrying(most_bytes,
                            rooted_call({own.data(), static_cast<int>(own.size()), MPI_INT},
                                        {received.data(), blocks.counts.data(),
                                         blocks.displacements.data(), MPI_INT},
                                        root, MPI_COMM_SELF));
        };
    });
    return received;
}

TEST(CarriedBlocks, Arrive) {
    std::mt19937 random(5);
    for (int p = 1; p <= 40; ++p) {
        for (const int largest : {1, 30, 300}) {
            std::vector<int> counts;
            for (int rank = 0; rank < p; ++rank)
                counts.push_back(
                    static_cast<int>(random() % (random() % 4 == 0 ? largest + 1 : 3)));
            const Gathered blocks = blocks_of(counts);
            for (const int root : {0, p / 2, p - 1})
                EXPECT_EQ(gathered(blocks, root, 64), blocks.expected)
                    << p << " ranks, root " << root << ", up to " << largest;
        }
    }
}

/// Rank 7 acts for ranks 0 to 7, whose gather root is rank 6. It passes on to rank 6 the messages
/// for ranks 4 and 5, and then for 0 to 3.
TEST(CarriedBlocks, ArePassedOnInTheirOrder) {
    const Gathered blocks = blocks_of({1, 1, 2, 1, 3, 4, 100, 1, 1});
    EXPECT_EQ(gathered(blocks, 8, 64), blocks.expected);
}

}  // namespace
}  // namespace mpiaudit
