// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"

#include <gtest/gtest.h>

#include <array>

#include "reduce/reduction_case.h"

namespace mpiaudit::test {
namespace {

struct Variant {
    const char* name;
    decltype(&MPI_Allreduce) function;
    bool keeps_order;
};

const std::array variants{Variant{"recursive doubling", recursive_doubling_Allreduce, true},
                          Variant{"recursive multiplying", recursive_multiplying_Allreduce, true},
                          Variant{"Rabenseifner", Rabenseifner_Allreduce, false},
                          Variant{"near first", near_first_Rabenseifner_Allreduce, false},
                          Variant{"near first, any", near_first_Allreduce, false},
                          Variant{"circulant", circulant_Allreduce, false},
                          Variant{"census", census_Allreduce, false},
                          Variant{"Swing", swing_Allreduce, false},
                          Variant{"Bine", bine_Allreduce, false},
                          Variant{"two trees", two_tree_Allreduce, true},
                          Variant{"dual root", dual_root_Allreduce, true},
                          Variant{"ring", ring_Allreduce, false},
                          Variant{"reduce + bcast", reduce_bcast_Allreduce, true},
                          Variant{"MPICH2004", MPICH2004_Allreduce, true}};

void expect_allreduce(const Variant& variant, const ReductionCase& reduction, int count,
                      bool in_place) {
    TypedBuffer sent{reduction.element, count};
    TypedBuffer received{reduction.element, count};
    TypedBuffer expected = received;
    sent.put(0, reduction.operands(world_rank(), count));
    if (in_place) received = sent;
    expected.put(0, reduction.reduced(0, world_size() - 1, count));
    const TypedBuffer untouched = sent;
    variant.function(in_place ? MPI_IN_PLACE : sent.get(), received.get(), count,
                     reduction.element.type, reduction.op, MPI_COMM_WORLD);
    const std::string what = std::string{variant.name} + ", " + reduction.name + ", " +
                             std::to_string(count) + " of " + reduction.element.name;
    EXPECT_TRUE(received == expected) << what;
    EXPECT_TRUE(sent == untouched) << what;
}

TEST(Allreduce, CombinesInTheOrderOfTheRanksAndTouchesNothingElse) {
    for (const ReductionCase& reduction : reduction_cases())
        for (const Variant& variant : variants) {
            if (!variant.keeps_order && !reduction.is_commutative) continue;
            for (const int count : element_counts(world_size()))
                for (const bool in_place : {false, true})
                    expect_allreduce(variant, reduction, count, in_place);
        }
}

TEST(Allreduce, PipelinesOfManyBlocksWork) {
    for (const ReductionCase& reduction : reduction_cases())
        for (const auto& [name, function] : {std::pair{"two trees", &two_tree_Allreduce},
                                             std::pair{"dual root", &dual_root_Allreduce}})
            expect_allreduce({name, function, true}, reduction, 20'001, reduction.is_commutative);
}

TEST(Allreduce, AcceptsNullBuffersOfNothing) {
    for (const Variant& variant : variants)
        EXPECT_EQ(variant.function(nullptr, nullptr, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
                  MPI_SUCCESS);
}

}  // namespace
}  // namespace mpiaudit::test
