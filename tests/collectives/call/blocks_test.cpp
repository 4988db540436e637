// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/call/blocks.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "collectives/datatypes/layout.h"
#include "collectives/moved_blocks.h"

namespace mpiaudit::test {
namespace {

constexpr int largest_int = std::numeric_limits<int>::max();

std::int64_t bytes_of(const TypedBuffer& message) {
    return message.count * type_bytes(message.type);
}

/// Returns the bytes from the address of the buffer to the first byte of data.
MPI_Aint offset_of(const TypedBuffer& message, const void* buffer = MPI_BOTTOM) {
    return absolute_displacement(message.address) - absolute_displacement(buffer) +
           data_range(message.count, message.type).begin;
}

int pieces_of(const TypedBuffer& message) {
    if (!message.owned_type) return 1;
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    MPI_Type_get_envelope(message.type, &integers, &addresses, &types, &combiner);
    EXPECT_EQ(combiner, MPI_COMBINER_HINDEXED);
    return addresses;
}

/// The counts and first elements of all blocks, and values derived from them.
void expect_blocks(const Blocks& blocks, const std::vector<int>& counts,
                   const std::vector<std::int64_t>& begins) {
    ASSERT_EQ(blocks.size(), std::ssize(counts));
    const MPI_Aint extent = type_extent(blocks.type());
    for (int block = 0; block < blocks.size(); ++block) {
        const auto i = static_cast<std::size_t>(block);
        EXPECT_EQ(blocks.count(block), counts[i]);
        EXPECT_EQ(blocks.begin(block), begins[i]);
        EXPECT_EQ(blocks.bytes(block), counts[i] * type_bytes(blocks.type()));
        EXPECT_EQ(blocks.at(block), displaced(blocks.buffer(), begins[i] * extent));
        const TypedBuffer message = blocks.message(block);
        EXPECT_EQ(message.address, blocks.at(block));
        EXPECT_EQ(message.count, counts[i]);
        EXPECT_EQ(message.type, blocks.type());
        EXPECT_EQ(bytes_of(blocks.message(block, 1)), blocks.bytes(block));
    }
}

TEST(Blocks, EveryKindKnowsThePlacesOfBlocks) {
    std::array<int, 100> buffer{};
    const std::vector<int> counts = {2, 0, 3}, places = {20, 99, 4};
    const std::vector<std::int64_t> begins = {0, 2, 2, 5};
    const int* b = buffer.data();
    expect_blocks(Blocks::equal(b, 4, MPI_INT, 3), {4, 4, 4}, {0, 4, 8});
    expect_blocks(Blocks::split(b, 11, MPI_INT, 4), {3, 3, 3, 2}, {0, 3, 6, 9});
    expect_blocks(Blocks::split(b, 2, MPI_INT, 4), {1, 1, 0, 0}, {0, 1, 2, 2});
    expect_blocks(Blocks::consecutive(b, begins, MPI_INT), {2, 0, 3}, {0, 2, 2});
    expect_blocks(Blocks::irregular(b, counts.data(), places.data(), MPI_INT, 3), {2, 0, 3},
                  {20, 99, 4});
}

TEST(Blocks, AdjacentBlocksEndWhereTheNextWouldBegin) {
    const std::vector<std::int64_t> begins = {0, 2, 2, 5};
    EXPECT_EQ(Blocks::equal(MPI_BOTTOM, 4, MPI_INT, 3).begin(3), 12);
    EXPECT_EQ(Blocks::split(MPI_BOTTOM, 11, MPI_INT, 4).begin(4), 11);
    EXPECT_EQ(Blocks::consecutive(MPI_BOTTOM, begins, MPI_INT).begin(3), 5);
}

TEST(Blocks, LieAlikeInAnotherBuffer) {
    std::array<int, 20> one{}, other{};
    const Blocks blocks = Blocks::split(one.data(), 11, MPI_INT, 4).with_buffer(other.data());
    EXPECT_EQ(blocks.buffer(), other.data());
    EXPECT_EQ(blocks.at(3), &other[9]);
    EXPECT_EQ(blocks.count(3), 2);
}

TEST(Blocks, StepByTheExtentOfATypeWithGapsAndBounds) {
    std::array<int, 100> buffer{};
    // The extent is 8 bytes, and the first byte is 12 bytes before the element's address.
    const MPI_Datatype low = struct_type({MPI_INT}, {0}, 8, -12);
    expect_blocks(Blocks::equal(&buffer[50], 3, low, 4), {3, 3, 3, 3}, {0, 3, 6, 9});
    EXPECT_EQ(Blocks::equal(&buffer[50], 3, low, 4).at(2), &buffer[62]);
    const MPI_Datatype backwards = struct_type({MPI_INT}, {0}, -8);
    EXPECT_EQ(Blocks::equal(&buffer[50], 3, backwards, 4).at(2), &buffer[38]);
    // Blocks with a negative extent are consecutive, too.
    const TypedBuffer all = Blocks::equal(&buffer[50], 3, backwards, 4).message(0, 4);
    EXPECT_EQ(all.address, &buffer[50]);
    EXPECT_EQ(all.count, 12);
    EXPECT_EQ(all.type, backwards);
}

TEST(Blocks, LieBeyondWhatAnIntCountsInBytes) {
    constexpr int count = 1 << 29;
    constexpr std::int64_t bytes = std::int64_t{count} * 8;
    const std::vector<int> counts = {0, count}, places = {-largest_int, largest_int};
    const std::vector<std::int64_t> begins = {0, count, 2 * std::int64_t{count}, bytes};
    const auto offset = [](const Blocks& blocks, int block) {
        return absolute_displacement(blocks.at(block));
    };
    const Blocks irregular =
        Blocks::irregular(MPI_BOTTOM, counts.data(), places.data(), MPI_DOUBLE, 2);
    EXPECT_EQ(offset(Blocks::equal(MPI_BOTTOM, count, MPI_DOUBLE, 9), 8), 8 * bytes);
    EXPECT_EQ(offset(Blocks::split(MPI_BOTTOM, largest_int, MPI_DOUBLE, 2), 1),
              8 * (std::int64_t{1} << 30));
    EXPECT_EQ(offset(Blocks::consecutive(MPI_BOTTOM, begins, MPI_DOUBLE), 2), 2 * bytes);
    EXPECT_EQ(offset(irregular, 1), 8 * std::int64_t{largest_int});
    EXPECT_EQ(offset(irregular, 0), -8 * std::int64_t{largest_int});
    EXPECT_EQ(irregular.bytes(1), bytes);
    EXPECT_EQ(Blocks::equal(MPI_BOTTOM, count, MPI_DOUBLE, 9).bytes(7, 4), 4 * bytes);
}

TEST(Message, AdjacentBlocksNeedNoDatatype) {
    const TypedBuffer message = Blocks::equal(MPI_BOTTOM, 3, MPI_INT, 5).message(2, 3);
    EXPECT_EQ(offset_of(message), 2 * 3 * 4);
    EXPECT_EQ(message.count, 9);
    EXPECT_EQ(message.type, MPI_INT);
    EXPECT_FALSE(message.owned_type);
    std::array<int, 100> buffer{};
    const std::vector<int> counts = {2, 0, 3, 1}, places = {10, 77, 12, 15};
    const Blocks blocks =
        Blocks::irregular(buffer.data(), counts.data(), places.data(), MPI_INT, 4);
    EXPECT_FALSE(blocks.message(0, 4).owned_type);
    EXPECT_EQ(blocks.message(0, 4).address, &buffer[10]);
    EXPECT_EQ(blocks.message(0, 4).count, 6);
    EXPECT_EQ(blocks.message(1, 2).address, &buffer[12]);
    EXPECT_EQ(blocks.message(1, 2).count, 3);
    EXPECT_EQ(blocks.message(1, 1).count, 0);
    EXPECT_EQ(blocks.bytes(0, 4), 24);
}

TEST(Message, GoesOnWithTheFirstBlockAfterTheLast) {
    const TypedBuffer message = Blocks::equal(MPI_BOTTOM, 3, MPI_INT, 5).message(4, 2);
    EXPECT_EQ(pieces_of(message), 2);
    EXPECT_EQ(bytes_of(message), 2 * 3 * 4);
    EXPECT_EQ(offset_of(message), 0);
    EXPECT_EQ(data_range(message.count, message.type).bytes(), 5 * 3 * 4);
    EXPECT_EQ(Blocks::equal(MPI_BOTTOM, 3, MPI_INT, 5).bytes(4, 2), 2 * 3 * 4);
}

TEST(Message, IsOfAsFewPiecesAsPossible) {
    std::array<int, 100> buffer{};
    const std::vector<int> counts = {2, 2, 3, 1}, places = {50, 52, 10, 13};
    const TypedBuffer message =
        Blocks::irregular(buffer.data(), counts.data(), places.data(), MPI_INT, 4).message(0, 4);
    EXPECT_EQ(message.address, buffer.data());
    EXPECT_EQ(message.count, 1);
    EXPECT_EQ(bytes_of(message), 32);
    EXPECT_EQ(pieces_of(message), 2);
}

TEST(Message, KeepsTheOrderOfListedBlocks) {
    const Blocks blocks = Blocks::equal(MPI_BOTTOM, 3, MPI_INT, 6);
    EXPECT_EQ(pieces_of(blocks.message(std::array{4, 5, 1})), 2);
    EXPECT_EQ(pieces_of(blocks.message(std::array{5, 4})), 2);
    const TypedBuffer row = blocks.message(std::array{1, 2});
    EXPECT_FALSE(row.owned_type);
    EXPECT_EQ(offset_of(row), 12);
    EXPECT_EQ(row.count, 6);
}

TEST(Message, EmptyBlocksMayClaimAnyPlace) {
    const std::vector<int> counts = {0, 2, 0, 3}, places = {-100, 5, 999, 7};
    const Blocks blocks = Blocks::irregular(MPI_BOTTOM, counts.data(), places.data(), MPI_INT, 4);
    for (const TypedBuffer& message :
         {blocks.message(0, 4), blocks.message(std::array{0, 1, 2, 3})}) {
        EXPECT_FALSE(message.owned_type);
        EXPECT_EQ(offset_of(message), 5 * 4);
        EXPECT_EQ(message.count, 5);
    }
    EXPECT_EQ(blocks.message(std::array{0, 2}).count, 0);
    EXPECT_EQ(blocks.message(std::array<int, 0>{}).count, 0);
    EXPECT_EQ(blocks.message(4, 0).count, 0);
}

TEST(Message, IsEmptyForATypeWithoutData) {
    const MPI_Datatype nothing = contiguous(0, MPI_INT);
    const std::vector<int> counts = {3, 4}, places = {5, 0};
    const Blocks blocks = Blocks::irregular(MPI_BOTTOM, counts.data(), places.data(), nothing, 2);
    EXPECT_EQ(blocks.bytes(0, 2), 0);
    EXPECT_EQ(blocks.message(0, 2).count, 0);
    EXPECT_EQ(blocks.message(std::array{1, 0}).count, 0);
}

TEST(Message, MayHaveMoreElementsThanAnIntCounts) {
    constexpr int count = 1 << 30;
    const std::vector<int> counts(5, count), places = {0, count, -count, 0, largest_int};
    const std::vector<std::int64_t> begins = {0, count, 2 * std::int64_t{count},
                                              3 * std::int64_t{count}};
    const TypedBuffer equal = Blocks::equal(MPI_BOTTOM, count, MPI_BYTE, 5).message(1, 3);
    EXPECT_EQ(bytes_of(equal), std::int64_t{3} * count);
    EXPECT_EQ(offset_of(equal), count);
    EXPECT_EQ(data_range(equal.count, equal.type).bytes(), MPI_Aint{3} * count);
    const TypedBuffer row = Blocks::consecutive(MPI_BOTTOM, begins, MPI_BYTE).message(0, 3);
    EXPECT_EQ(bytes_of(row), std::int64_t{3} * count);
    EXPECT_EQ(offset_of(row), 0);
    const TypedBuffer anywhere =
        Blocks::irregular(MPI_BOTTOM, counts.data(), places.data(), MPI_DOUBLE, 5).message(0, 5);
    EXPECT_EQ(bytes_of(anywhere), std::int64_t{5} * 8 * count);
    EXPECT_EQ(data_range(anywhere.count, anywhere.type).begin, -8 * MPI_Aint{count});
    EXPECT_EQ(data_range(anywhere.count, anywhere.type).end, 8 * (MPI_Aint{largest_int} + count));
}

TEST(Message, DoesNotMergePiecesBeyondTheRangeOfInt) {
    const TypedBuffer both = Blocks::equal(MPI_BOTTOM, largest_int, MPI_CHAR, 2).message(0, 2);
    EXPECT_EQ(both.count, 1);
    EXPECT_EQ(bytes_of(both), 2 * std::int64_t{largest_int});
}

}  // namespace
}  // namespace mpiaudit::test
