// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce/reduce.h"

#include <gtest/gtest.h>

#include <array>
#include <span>

#include "reduction_case.h"

namespace mpiaudit::test {
namespace {

struct Variant {
    const char* name;
    decltype(&MPI_Reduce) function;
    bool keeps_order;
};

const std::array variants{Variant{"binomial", binomial_Reduce, true},
                          Variant{"linear", linear_Reduce, true},
                          Variant{"Rabenseifner", Rabenseifner_Reduce, false},
                          Variant{"near first", near_first_Rabenseifner_Reduce, false},
                          Variant{"circulant", circulant_Reduce, false},
                          Variant{"chain", chain_Reduce, true},
                          Variant{"binary", binary_Reduce, true},
                          Variant{"split binary", split_binary_Reduce, false},
                          Variant{"two trees", two_tree_Reduce, true},
                          Variant{"Bine", bine_Reduce, false},
                          Variant{"k-nomial", knomial_Reduce, true},
                          Variant{"MPICH2004", MPICH2004_Reduce, true}};

void expect_reduce(const Variant& variant, const ReductionCase& reduction, int count, int root,
                   bool in_place) {
    const int rank = world_rank();
    const bool is_root = rank == root;
    TypedBuffer sent{reduction.element, count};
    TypedBuffer received{reduction.element, count};
    TypedBuffer expected = received;
    sent.put(0, reduction.operands(rank, count));
    if (is_root && in_place) received = sent;
    if (is_root) expected.put(0, reduction.reduced(0, world_size() - 1, count));
    const TypedBuffer untouched = sent;
    variant.function(is_root && in_place ? MPI_IN_PLACE : sent.get(), received.get(), count,
                     reduction.element.type, reduction.op, root, MPI_COMM_WORLD);
    const std::string what = std::string{variant.name} + ", " + reduction.name + ", " +
                             std::to_string(count) + " of " + reduction.element.name + ", root " +
                             std::to_string(root);
    EXPECT_TRUE(received == expected) << what;
    EXPECT_TRUE(sent == untouched) << what;
}

TEST(Reduce, CombinesInTheOrderOfTheRanksAndTouchesNothingElse) {
    for (const ReductionCase& reduction : reduction_cases())
        for (const Variant& variant : variants) {
            if (!variant.keeps_order && !reduction.is_commutative) continue;
            for (const int count : element_counts(world_size()))
                for (const int root : roots(world_size()))
                    for (const bool in_place : {false, true})
                        expect_reduce(variant, reduction, count, root, in_place);
        }
}

TEST(Reduce, PipelinesOfManyBlocksWork) {
    for (const ReductionCase& reduction : reduction_cases())
        for (const Variant& variant : std::span(variants).subspan(4, 5)) {
            if (!variant.keeps_order && !reduction.is_commutative) continue;
            for (const int root : roots(world_size()))
                expect_reduce(variant, reduction, 20'001, root, root == 0);
        }
}

TEST(Reduce, AcceptsNullBuffersOfNothing) {
    for (const Variant& variant : variants)
        EXPECT_EQ(variant.function(nullptr, nullptr, 0, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD),
                  MPI_SUCCESS);
}

}  // namespace
}  // namespace mpiaudit::test
