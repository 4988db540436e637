// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/datatypes/layout.h"

#include <gtest/gtest.h>

#include "made_types.h"

namespace mpiaudit::test {
namespace {

void expect_range(const ByteRange& range, MPI_Aint begin, MPI_Aint end) {
    EXPECT_EQ(range.begin, begin);
    EXPECT_EQ(range.end, end);
}

// What one memcpy may copy between buffers of different types is a part of what it may copy
// between two of the same type, not the same.
TEST(Density, OfPredefinedTypes) {
    for (const MPI_Datatype type : {MPI_INT, MPI_2INT, MPI_BYTE, MPI_C_DOUBLE_COMPLEX}) {
        EXPECT_TRUE(is_dense(type));
        EXPECT_TRUE(is_gapless(type));
    }
    EXPECT_FALSE(is_dense(MPI_DOUBLE_INT));
    EXPECT_FALSE(is_gapless(MPI_DOUBLE_INT));
}

TEST(Density, OfDerivedTypes) {
    const OwnedDatatype nested = contiguous(3, contiguous(2, MPI_INT).get());
    EXPECT_TRUE(is_dense(nested.get()));
    EXPECT_TRUE(is_gapless(nested.get()));
    const OwnedDatatype padded = contiguous(3, padded_struct().get());
    EXPECT_FALSE(is_dense(padded.get()));
    EXPECT_FALSE(is_gapless(padded.get()));
    const OwnedDatatype spread = resized(MPI_INT, 0, 8);
    EXPECT_FALSE(is_dense(spread.get()));
    EXPECT_FALSE(is_gapless(spread.get()));
    const OwnedDatatype backwards = resized(MPI_INT, 0, -4);
    EXPECT_FALSE(is_dense(backwards.get()));
    EXPECT_FALSE(is_gapless(backwards.get()));
}

TEST(Density, OfDataInAnotherOrderOrElsewhereIsWithinOneTypeOnly) {
    EXPECT_TRUE(is_gapless(swapped_ints().get()));
    EXPECT_FALSE(is_dense(swapped_ints().get()));
    EXPECT_TRUE(is_gapless(shifted_int(-12).get()));
    EXPECT_FALSE(is_dense(shifted_int(-12).get()));
}

TEST(DataRange, GoesFromTheFirstToTheLastByteOfData) {
    expect_range(data_range(3, MPI_INT), 0, 12);
    expect_range(data_range(0, MPI_INT), 0, 0);
    expect_range(data_range(5, contiguous(0, MPI_INT).get()), 0, 0);
    expect_range(data_range(2, padded_struct().get()), 0, 13);
    expect_range(data_range(3, resized(MPI_INT, 0, -8).get()), -16, 4);
    expect_range(data_range(2, shifted_int(-12).get()), -12, -4);
    expect_range(data_range(2, resized(MPI_INT, -16, 32).get()), 0, 36);
    expect_range(data_range(std::int64_t{3} << 31, MPI_INT), 0, MPI_Aint{12} << 31);
}

TEST(ElementRange, HasTheGapsAroundTheData) {
    expect_range(element_range(2, padded_struct().get()), 0, 16);
    expect_range(element_range(2, resized(MPI_INT, -16, 32).get()), -16, 48);
    expect_range(element_range(3, resized(MPI_INT, 0, -8).get()), -16, 4);
    expect_range(element_range(0, padded_struct().get()), 0, 0);
}

}  // namespace
}  // namespace mpiaudit::test
