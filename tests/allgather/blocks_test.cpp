// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/blocks.h"

#include <gtest/gtest.h>

#include <array>

namespace mpiaudit::test {
namespace {

MPI_Count data_bytes_of(const Message& message) {
    return data_bytes(message.count, message.type);
}

TEST(Blocks, ConsecutiveOnesNeedNoDatatype) {
    const Message message = Blocks::equal(3, MPI_INT, 5).message(2, 3);
    EXPECT_EQ(message.offset_bytes, 2 * 3 * 4);
    EXPECT_EQ(message.count, 9);
    EXPECT_EQ(message.type, MPI_INT);
    EXPECT_FALSE(message.owned_type);
}

TEST(Blocks, GoOnWithTheFirstAfterTheLast) {
    const Message message = Blocks::equal(3, MPI_INT, 5).message(4, 2);
    EXPECT_TRUE(message.owned_type);
    EXPECT_EQ(data_bytes_of(message), 2 * 3 * 4);
    MPI_Aint begin = 0;
    MPI_Aint length = 0;
    MPI_Type_get_true_extent(message.type, &begin, &length);
    EXPECT_EQ(message.offset_bytes + begin, 0);
    EXPECT_EQ(length, 5 * 3 * 4);
}

TEST(Blocks, SplitDiffersByOneElementAtMost) {
    const Blocks blocks = Blocks::split(11, MPI_INT, 4);
    const std::array counts{3, 3, 3, 2};
    const std::array<MPI_Aint, 4> offsets{0, 12, 24, 36};
    for (int block = 0; block < 4; ++block) {
        EXPECT_EQ(blocks.count(block), counts[static_cast<std::size_t>(block)]);
        EXPECT_EQ(blocks.offset_bytes(block), offsets[static_cast<std::size_t>(block)]);
    }
}

TEST(Blocks, EmptyOnesMayClaimToLieAnywhere) {
    const std::array counts{0, 2, 0, 3};
    const std::array places{-100, 5, 999, 7};
    const Message message =
        Blocks::irregular(counts.data(), places.data(), MPI_INT, 4).message(0, 4);
    EXPECT_FALSE(message.owned_type);
    EXPECT_EQ(message.offset_bytes, 5 * 4);
    EXPECT_EQ(message.count, 5);
}

TEST(Blocks, MayHoldMoreElementsThanAnIntCounts) {
    constexpr int block = 1 << 30;
    const Message message = Blocks::equal(block, MPI_BYTE, 5).message(1, 3);
    EXPECT_EQ(data_bytes_of(message), MPI_Count{3} * block);
    MPI_Aint begin = 0;
    MPI_Aint length = 0;
    MPI_Type_get_true_extent(message.type, &begin, &length);
    EXPECT_EQ(message.offset_bytes + begin, block);
    EXPECT_EQ(length, MPI_Aint{3} * block);
}

}  // namespace
}  // namespace mpiaudit::test
