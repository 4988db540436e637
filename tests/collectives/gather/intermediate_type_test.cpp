// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/datatypes/intermediate_type.h"

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

TEST(IntermediateType, of_one_basic_type_is_that_type) {
    MPI_Datatype vector = MPI_DATATYPE_NULL;
    MPI_Type_vector(3, 2, 4, MPI_INT, &vector);
    const OwnedDatatype owned(vector);
    char data[24];
    for (const MPI_Datatype type : {MPI_INT, vector}) {
        const TypedBuffer buffer = IntermediateType(type).buffer(data, 24);
        EXPECT_EQ(buffer.address, data);
        EXPECT_EQ(buffer.count, 6);
        EXPECT_EQ(buffer.type, MPI_INT);
        EXPECT_FALSE(buffer.owned_type);
    }
}

TEST(IntermediateType, of_a_struct_has_no_gaps) {
    const IntermediateType type(padded_struct().get());
    char data[24];
    const TypedBuffer buffer = type.buffer(data, 24);
    EXPECT_EQ(buffer.count, 2);
    EXPECT_EQ(type_bytes(buffer.type), 12);
    EXPECT_EQ(extent(buffer.type), 12);
    EXPECT_EQ(type_signature(buffer.type).period, type_signature(padded_struct().get()).period);
}

TEST(IntermediateType, is_bytes_where_the_block_does_not_divide_the_amount_or_is_empty) {
    char data[20];
    EXPECT_EQ(IntermediateType(MPI_DOUBLE).buffer(data, 16).type, MPI_DOUBLE);
    const TypedBuffer odd = IntermediateType(MPI_DOUBLE).buffer(data, 20);
    EXPECT_EQ(odd.type, MPI_BYTE);
    EXPECT_EQ(odd.count, 20);
    MPI_Datatype empty = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(0, MPI_INT, &empty);
    const OwnedDatatype owned(empty);
    EXPECT_EQ(IntermediateType(empty).buffer(data, 20).type, MPI_BYTE);
}

TEST(IntermediateType, describes_amounts_beyond_the_range_of_int) {
    const std::int64_t count = 5000000007;
    char data = 0;
    const TypedBuffer buffer = IntermediateType(MPI_INT).buffer(&data, count * 4);
    EXPECT_EQ(buffer.count, 1);
    EXPECT_EQ(type_bytes(buffer.type), count * 4);
    EXPECT_EQ(extent(buffer.type), count * 4);
    const Signature signature = type_signature(buffer.type);
    EXPECT_EQ(signature.period, type_signature(MPI_INT).period);
    EXPECT_EQ(signature.repetitions, count);
}

}  // namespace
}  // namespace mpiaudit
