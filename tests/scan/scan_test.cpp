// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scan/scan.h"

#include <gtest/gtest.h>

#include <array>

#include "reduce/reduction_case.h"

namespace mpiaudit::test {
namespace {

struct Variant {
    const char* name;
    decltype(&MPI_Scan) function;
    bool is_exclusive;
};

const std::array variants{
    Variant{"recursive doubling scan", recursive_doubling_Scan, false},
    Variant{"linear scan", linear_Scan, false},
    Variant{"recursive doubling exscan", recursive_doubling_Exscan, true},
    Variant{"linear exscan", linear_Exscan, true},
    Variant{"123 doubling", doubling_123_Exscan, true},
    Variant{"by bits", bits_Exscan, true},
};

void expect_scan(const Variant& variant, const ReductionCase& reduction, int count, bool in_place) {
    const int rank = world_rank();
    TypedBuffer sent{reduction.element, count};
    TypedBuffer received{reduction.element, count};
    sent.put(0, reduction.operands(rank, count));
    if (in_place) received = sent;
    // The first process gets nothing in an exclusive scan.
    TypedBuffer expected = received;
    const int last = variant.is_exclusive ? rank - 1 : rank;
    if (last >= 0) expected.put(0, reduction.reduced(0, last, count));
    const TypedBuffer untouched = sent;
    variant.function(in_place ? MPI_IN_PLACE : sent.get(), received.get(), count,
                     reduction.element.type, reduction.op, MPI_COMM_WORLD);
    const std::string what = std::string{variant.name} + ", " + reduction.name + ", " +
                             std::to_string(count) + " of " + reduction.element.name;
    EXPECT_TRUE(received == expected) << what;
    EXPECT_TRUE(sent == untouched) << what;
}

TEST(Scan, CombinesInTheOrderOfTheRanksAndTouchesNothingElse) {
    for (const ReductionCase& reduction : reduction_cases())
        for (const Variant& variant : variants)
            for (const int count : element_counts(world_size()))
                for (const bool in_place : {false, true})
                    expect_scan(variant, reduction, count, in_place);
}

TEST(Scan, AcceptsNullBuffersOfNothing) {
    for (const Variant& variant : variants)
        EXPECT_EQ(variant.function(nullptr, nullptr, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
                  MPI_SUCCESS);
}

}  // namespace
}  // namespace mpiaudit::test
