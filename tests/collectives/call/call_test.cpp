// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "collectives/datatypes/layout.h"
#include "collectives/moved_blocks.h"
#include "recorded_calls.h"

namespace mpiaudit::test {
namespace {

TEST(Address, MovesByBytesInBothDirections) {
    char buffer[16];
    EXPECT_EQ(displaced(buffer, 5), buffer + 5);
    EXPECT_EQ(displaced(displaced(buffer, -40), 40), buffer);
    const char* constant = buffer;
    EXPECT_EQ(displaced(constant, 3), buffer + 3);
}

TEST(Address, MpiBottomMakesItAbsolute) {
    int number = 0;
    EXPECT_EQ(displaced(MPI_BOTTOM, absolute_displacement(&number)), &number);
}

TEST(Address, MovesByMoreThanAnIntCounts) {
    constexpr MPI_Aint far = MPI_Aint{5} << 31;
    EXPECT_EQ(absolute_displacement(displaced(MPI_BOTTOM, far)), far);
    EXPECT_EQ(displaced(displaced(MPI_BOTTOM, far), -far), MPI_BOTTOM);
}

MPI_Datatype resized_int(MPI_Aint lower_bound, MPI_Aint extent) {
    return struct_type({MPI_INT}, {0}, extent, lower_bound);
}
/// Two ints without a gap, the one at the higher address first.
MPI_Datatype swapped_ints() {
    return indexed_type({1, 1}, {1, 0}, MPI_INT);
}
/// One int `bytes` after (or before) the address of the element, whose extent is 4 bytes.
MPI_Datatype shifted_int(MPI_Aint bytes) {
    return struct_type({MPI_INT}, {bytes}, 4, bytes);
}
/// An int and a char after it, and three bytes of padding as in C++.
MPI_Datatype padded_struct() {
    return struct_type({MPI_INT, MPI_CHAR}, {0, 4}, 8);
}

/// Copies, and returns the number of messages.
long messages_of_copy(const TypedBuffer& from, const TypedBuffer& to) {
    const long before = messages_to_oneself;
    copy_locally(from, to, Ranks{MPI_COMM_WORLD});
    return messages_to_oneself - before;
}

TEST(Copy, TakesAMessageWhereOrderOrGapsDiffer) {
    const MPI_Datatype threes = contiguous(3, MPI_INT), swapped = swapped_ints();
    const MPI_Datatype before = shifted_int(-1024), spread = resized_int(0, 8);
    struct Case {
        const char* name;
        int from_count;
        MPI_Datatype from;
        int to_count;
        MPI_Datatype to;
        long messages;
        std::vector<int> expected;
    };
    for (const Case& each :
         {Case{"dense", 6, MPI_INT, 6, MPI_INT, 0, {1, 2, 3, 4, 5, 6}},
          Case{"another count", 2, threes, 6, MPI_INT, 0, {1, 2, 3, 4, 5, 6}},
          Case{"one type of any order", 2, swapped, 2, swapped, 0, {1, 2, 3, 4, -5, -6}},
          Case{"data elsewhere", 4, before, 4, before, 0, {1, 2, 3, 4, -5, -6}},
          Case{"another order", 4, MPI_INT, 2, swapped, 1, {2, 1, 4, 3, -5, -6}},
          Case{"gaps", 2, spread, 2, spread, 1, {1, -2, 3, -4, -5, -6}}}) {
        const std::vector<int> from = {1, 2, 3, 4, 5, 6};
        std::vector<int> to = {-1, -2, -3, -4, -5, -6};
        const MPI_Aint shift = each.from == before ? 1024 : 0;
        EXPECT_EQ(messages_of_copy({displaced(from.data(), shift), each.from_count, each.from},
                                   {displaced(to.data(), shift), each.to_count, each.to}),
                  each.messages)
            << each.name;
        EXPECT_EQ(to, each.expected) << each.name;
    }
}

TEST(Copy, AnEmptyCopyTouchesNothing) {
    const MPI_Datatype spread = resized_int(0, 8);
    EXPECT_EQ(messages_of_copy({nullptr, 0, MPI_INT}, {nullptr, 0, MPI_INT}), 0);
    EXPECT_EQ(messages_of_copy({nullptr, 0, spread}, {nullptr, 0, MPI_INT}), 0);
    EXPECT_EQ(messages_of_copy({nullptr, 0, MPI_CHAR}, {nullptr, 0, MPI_INT}), 0);
}

TEST(SendToOneself, IsAMessageWhateverTheTypes) {
    const std::vector<int> from = {1, 2, 3};
    std::vector<int> to(3);
    const long before = messages_to_oneself;
    sendrecv_self({from.data(), 3, MPI_INT}, {to.data(), 3, MPI_INT}, Ranks{MPI_COMM_WORLD});
    EXPECT_EQ(messages_to_oneself - before, 1);
    EXPECT_EQ(to, from);
}

void expect_range(const ByteRange& range, MPI_Aint begin, MPI_Aint end) {
    EXPECT_EQ(range.begin, begin);
    EXPECT_EQ(range.end, end);
}

// A dense type is gapless; a gapless type may have its data in another order or at an offset.
TEST(Density, IsBetweenAnyTypesOrWithinOne) {
    const MPI_Datatype nested = contiguous(3, contiguous(2, MPI_INT));
    for (const MPI_Datatype type : {MPI_INT, MPI_2INT, MPI_BYTE, MPI_C_DOUBLE_COMPLEX, nested})
        EXPECT_TRUE(is_dense(type) && is_gapless(type));
    for (const MPI_Datatype type : {swapped_ints(), shifted_int(-12)})
        EXPECT_TRUE(!is_dense(type) && is_gapless(type));
    for (const MPI_Datatype type :
         {MPI_DOUBLE_INT, contiguous(3, padded_struct()), resized_int(0, 8), resized_int(0, -4)})
        EXPECT_FALSE(is_dense(type) || is_gapless(type));
}

TEST(DataRange, GoesFromTheFirstToTheLastByteOfData) {
    expect_range(data_range(3, MPI_INT), 0, 12);
    expect_range(data_range(0, MPI_INT), 0, 0);
    expect_range(data_range(5, contiguous(0, MPI_INT)), 0, 0);
    expect_range(data_range(2, padded_struct()), 0, 13);
    expect_range(data_range(3, resized_int(0, -8)), -16, 4);
    expect_range(data_range(2, shifted_int(-12)), -12, -4);
    expect_range(data_range(2, resized_int(-16, 32)), 0, 36);
    expect_range(data_range(std::int64_t{3} << 31, MPI_INT), 0, MPI_Aint{12} << 31);
}

TEST(ElementRange, HasTheGapsAroundTheData) {
    expect_range(element_range(2, padded_struct()), 0, 16);
    expect_range(element_range(2, resized_int(-16, 32)), -16, 48);
    expect_range(element_range(3, resized_int(0, -8)), -16, 4);
    expect_range(element_range(0, padded_struct()), 0, 0);
}

TEST(IntermediateType, is_a_basic_type_or_packed) {
    char data[24];
    const TypedBuffer ints = IntermediateType(MPI_INT).buffer(data, 24);
    EXPECT_EQ(ints.address, data);
    EXPECT_EQ(ints.count, 6);
    EXPECT_EQ(ints.type, MPI_INT);
    EXPECT_FALSE(ints.owned_type);
    // Pairs have a gap, like a struct of two.
    const MPI_Datatype with_gap = padded_struct();
    for (const MPI_Datatype type : {MPI_DOUBLE_INT, with_gap}) {
        const TypedBuffer packed = IntermediateType(type).buffer(data, 24);
        EXPECT_EQ(packed.count, 24);
        EXPECT_EQ(packed.type, MPI_PACKED);
    }
}

TEST(IntermediateType, is_packed_where_the_element_does_not_divide_the_amount) {
    char data[20];
    EXPECT_EQ(IntermediateType(MPI_DOUBLE).buffer(data, 16).type, MPI_DOUBLE);
    const TypedBuffer odd = IntermediateType(MPI_DOUBLE).buffer(data, 20);
    EXPECT_EQ(odd.type, MPI_PACKED);
    EXPECT_EQ(odd.count, 20);
}

TEST(IntermediateType, describes_amounts_beyond_the_range_of_int) {
    const std::int64_t count = 5000000007;
    char data = 0;
    const TypedBuffer buffer = IntermediateType(MPI_INT).buffer(&data, count * 4);
    EXPECT_EQ(buffer.count, 1);
    EXPECT_EQ(type_bytes(buffer.type), count * 4);
    EXPECT_EQ(type_extent(buffer.type), count * 4);
}

TEST(Ranks, StandOnARingThatStartsWithTheFirst) {
    int size = 0, rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int first = 0; first < size; ++first) {
        const Ranks ranks{MPI_COMM_WORLD, first};
        EXPECT_EQ(ranks.size, size);
        EXPECT_EQ(ranks.rank, rank);
        EXPECT_EQ(ranks.at(0), first);
        EXPECT_EQ(ranks.at(ranks.position), rank);
        for (int distance = -size; distance <= size; ++distance) {
            EXPECT_EQ(ranks.shifted(distance), (rank + distance + size) % size);
            EXPECT_EQ(ranks.shifted(distance), ranks.at(ranks.position + distance + size));
        }
    }
}

TEST(Ranks, SendOnAPrivateCommunicatorUnlessTheySendNothing) {
    EXPECT_EQ(Ranks{MPI_COMM_WORLD}.comm, private_communicator(MPI_COMM_WORLD));
    EXPECT_EQ(Ranks::without_messages(MPI_COMM_WORLD).comm, MPI_COMM_WORLD);
}

}  // namespace
}  // namespace mpiaudit::test
