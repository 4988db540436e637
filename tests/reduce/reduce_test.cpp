// SPDX-License-Identifier: BSD-3-Clause
// All reductions of vectors: to a root, to all, and over the ranks up to one's own.
#include <gtest/gtest.h>

#include <functional>

#include "collectives/allreduce/allreduce.h"
#include "collectives/reduce/reduce.h"
#include "collectives/scan/scan.h"
#include "reduction_case.h"

namespace mpiaudit::test {
namespace {

enum class Result { at_root, everywhere, prefixed, exclusively_prefixed };

struct Variant {
    Variant(const char* of, decltype(&MPI_Reduce) reduce, bool in_order, bool in_segments = false)
        : name{of},
          result{Result::at_root},
          keeps_order{in_order},
          is_pipeline{in_segments},
          call{[reduce](auto... arguments) { return reduce(arguments..., MPI_COMM_WORLD); }} {}
    Variant(const char* of, decltype(&MPI_Allreduce) function, Result gives, bool in_order = true,
            bool in_segments = false)
        : name{of},
          result{gives},
          keeps_order{in_order},
          is_pipeline{in_segments},
          call{[function](const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op,
                          int) {
              return function(sent, received, count, type, op, MPI_COMM_WORLD);
          }} {}

    const char* name;
    Result result;
    bool keeps_order;
    bool is_pipeline;
    std::function<int(const void*, void*, int, MPI_Datatype, MPI_Op, int root)> call;

    bool has_root() const { return result == Result::at_root; }
    bool takes(const ReductionCase& reduction) const {
        return keeps_order || reduction.is_commutative;
    }
    std::vector<int> all_roots() const { return has_root() ? roots(world_size()) : std::vector{0}; }
    /// Up to which rank operands are in this rank's result; negative: it gets none.
    int last(int root) const {
        const int rank = world_rank();
        if (has_root()) return rank == root ? world_size() - 1 : -1;
        if (result == Result::everywhere) return world_size() - 1;
        return result == Result::prefixed ? rank : rank - 1;
    }
};

const std::vector<Variant> variants{
    {"binomial", binomial_Reduce, true},
    {"linear", linear_Reduce, true},
    {"Rabenseifner", Rabenseifner_Reduce, false},
    {"near first", near_first_Rabenseifner_Reduce, false},
    {"circulant", circulant_Reduce, false, true},
    {"chain", chain_Reduce, true, true},
    {"binary", binary_Reduce, true, true},
    {"split binary", split_binary_Reduce, false, true},
    {"two trees", two_tree_Reduce, true, true},
    {"Bine", bine_Reduce, false},
    {"k-nomial", knomial_Reduce, true},
    {"MPICH2004", MPICH2004_Reduce, true},
    {"recursive doubling", recursive_doubling_Allreduce, Result::everywhere},
    {"recursive multiplying", recursive_multiplying_Allreduce, Result::everywhere},
    {"Rabenseifner to all", Rabenseifner_Allreduce, Result::everywhere, false},
    {"near first to all", near_first_Rabenseifner_Allreduce, Result::everywhere, false},
    {"near first, any", near_first_Allreduce, Result::everywhere, false},
    {"circulant to all", circulant_Allreduce, Result::everywhere, false},
    {"census", census_Allreduce, Result::everywhere, false},
    {"Swing", swing_Allreduce, Result::everywhere, false},
    {"Bine to all", bine_Allreduce, Result::everywhere, false},
    {"two trees to all", two_tree_Allreduce, Result::everywhere, true, true},
    {"dual root", dual_root_Allreduce, Result::everywhere, true, true},
    {"ring", ring_Allreduce, Result::everywhere, false},
    {"reduce + bcast", reduce_bcast_Allreduce, Result::everywhere},
    {"MPICH2004 to all", MPICH2004_Allreduce, Result::everywhere},
    {"recursive doubling scan", recursive_doubling_Scan, Result::prefixed},
    {"linear scan", linear_Scan, Result::prefixed},
    {"recursive doubling exscan", recursive_doubling_Exscan, Result::exclusively_prefixed},
    {"linear exscan", linear_Exscan, Result::exclusively_prefixed},
    {"123 doubling", doubling_123_Exscan, Result::exclusively_prefixed},
    {"by bits", bits_Exscan, Result::exclusively_prefixed},
};

void expect_reduction(const Variant& variant, const ReductionCase& reduction, int count, int root,
                      bool in_place) {
    const bool is_in_place = in_place && (!variant.has_root() || world_rank() == root);
    TypedBuffer sent{reduction.element, count};
    TypedBuffer received{reduction.element, count};
    sent.put(0, reduction.operands(world_rank(), count));
    if (is_in_place) received = sent;
    TypedBuffer expected = received;
    const int last = variant.last(root);
    if (last >= 0) expected.put(0, reduction.reduced(0, last, count));
    const TypedBuffer untouched = sent;
    variant.call(is_in_place ? MPI_IN_PLACE : sent.get(), received.get(), count,
                 reduction.element.type, reduction.op, root);
    const std::string what = std::string{variant.name} + ", " + reduction.name + ", " +
                             std::to_string(count) + " of " + reduction.element.name + ", root " +
                             std::to_string(root);
    EXPECT_TRUE(received == expected) << what;
    EXPECT_TRUE(sent == untouched) << what;
}

TEST(Reductions, CombineInTheOrderOfTheRanksAndTouchNothingElse) {
    for (const ReductionCase& reduction : reduction_cases())
        for (const Variant& variant : variants) {
            if (!variant.takes(reduction)) continue;
            for (const int count : element_counts(world_size()))
                for (const int root : variant.all_roots())
                    for (const bool in_place : {false, true})
                        expect_reduction(variant, reduction, count, root, in_place);
        }
}

TEST(Reductions, PipelinesOfManyBlocksWork) {
    for (const ReductionCase& reduction : reduction_cases())
        for (const Variant& variant : variants)
            if (variant.is_pipeline && variant.takes(reduction))
                for (const int root : variant.all_roots())
                    expect_reduction(variant, reduction, 20'001, root,
                                     variant.has_root() ? root == 0 : reduction.is_commutative);
}

TEST(Reductions, AcceptNullBuffersOfNothing) {
    for (const Variant& variant : variants)
        EXPECT_EQ(variant.call(nullptr, nullptr, 0, MPI_INT, MPI_SUM, 0), MPI_SUCCESS);
}

}  // namespace
}  // namespace mpiaudit::test
