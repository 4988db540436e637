// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/datatypes/blocks_at_root.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "collectives/datatypes/signature.h"

namespace mpiaudit {
namespace {

TEST(BlocksAtRoot, that_follow_each_other_are_used_in_place) {
    std::vector<int> buffer(100);
    const std::vector<int> counts = {2, 0, 3, 1}, displacements = {10, 77, 12, 15};
    const auto blocks =
        BlocksAtRoot::irregular(buffer.data(), counts.data(), displacements.data(), MPI_INT);
    const RankRange all[] = {{0, 3}}, middle[] = {{1, 2}}, empty[] = {{1, 1}};
    const TypedBuffer place = blocks.blocks(all);
    EXPECT_EQ(place.address, &buffer[10]);
    EXPECT_EQ(place.count, 6);
    EXPECT_EQ(place.type, MPI_INT);
    EXPECT_EQ(blocks.blocks(middle).address, &buffer[12]);
    EXPECT_EQ(blocks.blocks(middle).count, 3);
    EXPECT_EQ(blocks.blocks(empty).count, 0);
    EXPECT_EQ(blocks.bytes(all), 24);
    EXPECT_EQ(blocks.bytes(2), 12);
}

TEST(BlocksAtRoot, elsewhere_are_described_by_a_datatype_of_as_few_pieces_as_possible) {
    std::vector<int> buffer(100);
    const std::vector<int> counts = {2, 2, 3, 1}, displacements = {50, 52, 10, 13};
    const auto blocks =
        BlocksAtRoot::irregular(buffer.data(), counts.data(), displacements.data(), MPI_INT);
    const RankRange all[] = {{0, 3}};
    const TypedBuffer place = blocks.blocks(all);
    EXPECT_EQ(place.address, buffer.data());
    EXPECT_EQ(place.count, 1);
    EXPECT_EQ(type_bytes(place.type), 32);
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    MPI_Type_get_envelope(place.type, &integers, &addresses, &types, &combiner);
    EXPECT_EQ(combiner, MPI_COMBINER_HINDEXED);
    EXPECT_EQ(addresses, 2);
}

TEST(BlocksAtRoot, of_equal_size_wrap_around_in_two_pieces) {
    std::vector<int> buffer(100);
    const auto blocks = BlocksAtRoot::regular(buffer.data(), 5, MPI_INT);
    const RankRange wrapped[] = {{3, 4}, {0, 1}};
    const TypedBuffer place = blocks.blocks(wrapped);
    EXPECT_EQ(type_bytes(place.type), 80);
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    MPI_Type_get_envelope(place.type, &integers, &addresses, &types, &combiner);
    EXPECT_EQ(addresses, 2);
    EXPECT_EQ(blocks.block(4).address, &buffer[20]);
}

TEST(BlocksAtRoot, do_not_merge_beyond_the_range_of_int) {
    char buffer = 0;
    const int large = std::numeric_limits<int>::max();
    const auto blocks = BlocksAtRoot::regular(&buffer, large, MPI_CHAR);
    const RankRange both[] = {{0, 1}};
    const TypedBuffer place = blocks.blocks(both);
    EXPECT_EQ(place.count, 1);
    EXPECT_EQ(type_bytes(place.type), 2 * std::int64_t{large});
}

}  // namespace
}  // namespace mpiaudit
