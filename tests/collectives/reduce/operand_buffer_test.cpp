// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "collectives/patterns/reduction.h"
#include "reduction_case.h"

namespace mpiaudit::test {
namespace {

ElementType laid_out_backwards() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(MPI_INT, 0, -8, &type);
    MPI_Type_commit(&type);
    return {"backwards", type, 1, OwnedDatatype{type}};
}

/// Puts numbers in and takes them out again; AddressSanitizer sees what lies outside.
void expect_room_for(const ElementType& element, int count) {
    const OperandBuffer buffer{count, element.type};
    std::vector<int> sent(static_cast<std::size_t>(count * element.numbers));
    std::iota(sent.begin(), sent.end(), 1);
    std::vector<int> received(sent.size());
    const auto numbers = static_cast<int>(sent.size());
    MPI_Sendrecv(sent.data(), numbers, MPI_INT, 0, 0, buffer.get(), count, element.type, 0, 0,
                 MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Sendrecv(buffer.get(), count, element.type, 0, 0, received.data(), numbers, MPI_INT, 0, 0,
                 MPI_COMM_SELF, MPI_STATUS_IGNORE);
    EXPECT_EQ(received, sent) << element.name;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.get()) % alignof(std::max_align_t), 0U)
        << element.name;
}

TEST(OperandBuffer, HasRoomForElementsWithGapsAndBoundsAndKeepsTheirAlignment) {
    for (const int count : {0, 1, 2, 17}) {
        expect_room_for(int_type(), count);
        expect_room_for(resized_with_holes(), count);
        expect_room_for(laid_out_backwards(), count);
    }
}

/// What a C++ compiler makes of a double and an int: a new struct may be assigned with its padding.
struct Padded {
    double number;
    int tag;
};

TEST(OperandBuffer, HasThePaddingOfTheLastElementToo) {
    const int lengths[] = {1, 1};
    const MPI_Aint places[] = {offsetof(Padded, number), offsetof(Padded, tag)};
    const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
    MPI_Datatype entries = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths, places, types, &entries);
    const OwnedDatatype owned_entries{entries};
    MPI_Type_create_resized(entries, 0, sizeof(Padded), &type);
    const OwnedDatatype owned{type};
    for (const int count : {1, 3}) {
        const OperandBuffer buffer{count, type};
        // As an operator of the caller may; AddressSanitizer sees what lies outside.
        std::memset(buffer.get(), 1, static_cast<std::size_t>(count) * sizeof(Padded));
    }
}

TEST(Reduction, PredefinedOperatorsAreThoseOfMPI) {
    EXPECT_TRUE(is_predefined(MPI_SUM));
    EXPECT_TRUE(is_predefined(MPI_MINLOC));
    for (const ReductionCase& reduction : reduction_cases())
        EXPECT_EQ(is_predefined(reduction.op), !reduction.owned) << reduction.name;
}

}  // namespace
}  // namespace mpiaudit::test
