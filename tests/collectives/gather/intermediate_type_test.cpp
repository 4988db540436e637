// SPDX-License-Identifier: BSD-3-Clause

#include <gtest/gtest.h>

#include "collectives/datatypes/layout.h"

namespace mpiaudit {
namespace {

OwnedDatatype padded_struct() {
    const int counts[] = {1, 1};
    const MPI_Aint displacements[] = {0, 8};
    const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, counts, displacements, types, &type);
    return OwnedDatatype(type);
}

MPI_Aint extent(MPI_Datatype type) {
    MPI_Aint lower_bound = 0, result = 0;
    MPI_Type_get_extent(type, &lower_bound, &result);
    EXPECT_EQ(lower_bound, 0);
    return result;
}

TEST(IntermediateType, is_a_basic_type_or_packed) {
    char data[24];
    const TypedBuffer ints = IntermediateType(MPI_INT).buffer(data, 24);
    EXPECT_EQ(ints.address, data);
    EXPECT_EQ(ints.count, 6);
    EXPECT_EQ(ints.type, MPI_INT);
    EXPECT_FALSE(ints.owned_type);
    // Pairs have a gap, like a struct of the same two.
    const OwnedDatatype with_gap = padded_struct();
    for (const MPI_Datatype type : {MPI_DOUBLE_INT, with_gap.get()}) {
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
    EXPECT_EQ(extent(buffer.type), count * 4);
}

}  // namespace
}  // namespace mpiaudit
