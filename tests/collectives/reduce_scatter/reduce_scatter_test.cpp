// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "algorithms/algorithms.h"
#include "collectives/reduce/reduction_case.h"
#include "world.h"

namespace mpiaudit::test {
namespace {

struct Variant {
    std::string name;
    decltype(&MPI_Reduce_scatter) irregular;
    decltype(&MPI_Reduce_scatter_block) regular;
    bool keeps_order;
};

const Algorithm& row_of(const std::string& name) {
    return *std::ranges::find(algorithms(), name, &Algorithm::name);
}

/// A row of the table of algorithms, and its twin.
Variant variant_of(const std::string& name) {
    const Algorithm& row = row_of(name);
    return {name, reinterpret_cast<decltype(&MPI_Reduce_scatter)>(row.function),
            reinterpret_cast<decltype(&MPI_Reduce_scatter_block)>(row_of(name + "_block").function),
            (row.traits & reorders_operands) == 0};
}

const std::vector<Variant>& variants() {
    static const std::vector<Variant> all = [] {
        std::vector<Variant> made;
        for (const Algorithm& row : algorithms())
            if (row.operation == "MPI_Reduce_scatter") made.push_back(variant_of(row.name));
        return made;
    }();
    return all;
}

/// Checks the block function too where all blocks are equal.
void expect_reduce_scatter(const Variant& variant, const ReductionCase& reduction,
                           const std::vector<int>& counts, bool in_place, bool is_regular) {
    const int size = ranks_of_world();
    const int rank = own_rank();
    const int total = std::accumulate(counts.begin(), counts.end(), 0);
    const auto own = counts.begin() + rank;
    const int begin = std::accumulate(counts.begin(), own, 0);
    TypedBuffer sent{reduction.element, total};
    TypedBuffer received{reduction.element, total};
    sent.put(0, reduction.operands(rank, total));
    if (in_place) received = sent;
    TypedBuffer expected = received;
    const std::vector<int> reduced = reduction.reduced(0, size - 1, total);
    const auto first = reduced.begin() + begin * reduction.element.numbers;
    expected.put(0, {first, first + *own * reduction.element.numbers});
    const TypedBuffer untouched = sent;
    const void* input = in_place ? MPI_IN_PLACE : sent.get();
    if (is_regular)
        variant.regular(input, received.get(), *own, reduction.element.type, reduction.op,
                        MPI_COMM_WORLD);
    else
        variant.irregular(input, received.get(), counts.data(), reduction.element.type,
                          reduction.op, MPI_COMM_WORLD);
    const std::string what = variant.name + ", " + reduction.name + ", " + std::to_string(total) +
                             " of " + reduction.element.name;
    EXPECT_TRUE(received == expected) << what;
    EXPECT_TRUE(sent == untouched) << what;
}

void expect_all(const Variant& variant, const ReductionCase& reduction, int count) {
    const auto size = static_cast<std::size_t>(ranks_of_world());
    const std::vector<int> equal(size, count);
    std::vector<int> uneven(size);
    for (std::size_t i = 0; i < size; ++i) uneven[i] = static_cast<int>(i * 7 + 3) % 5 * count;
    std::vector<int> single(size, 0);
    single[size / 2] = count;
    for (const bool in_place : {false, true}) {
        expect_reduce_scatter(variant, reduction, equal, in_place, true);
        for (const std::vector<int>& counts : {equal, uneven, single})
            expect_reduce_scatter(variant, reduction, counts, in_place, false);
    }
}

TEST(ReduceScatter, CombinesInTheOrderOfTheRanksAndTouchesNothingElse) {
    for (const ReductionCase& reduction : reduction_cases())
        for (const Variant& variant : variants()) {
            if (!variant.keeps_order && !reduction.is_commutative) continue;
            for (const int count : {0, 1, 5, 100}) expect_all(variant, reduction, count);
        }
}

TEST(ReduceScatter, MPICH2004WorksAboveItsLimit) {
    const ReductionCase sum = std::move(reduction_cases().front());
    const std::vector<int> counts(static_cast<std::size_t>(ranks_of_world()),
                                  512 * 1024 / 4 / ranks_of_world() + 1);
    expect_reduce_scatter(variant_of("MPICH2004_Reduce_scatter"), sum, counts, false, false);
}

TEST(ReduceScatter, AcceptsNullBuffersOfNothing) {
    const std::vector<int> zeros(static_cast<std::size_t>(ranks_of_world()), 0);
    for (const Variant& variant : variants()) {
        EXPECT_EQ(variant.regular(nullptr, nullptr, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
                  MPI_SUCCESS);
        EXPECT_EQ(
            variant.irregular(nullptr, nullptr, zeros.data(), MPI_INT, MPI_SUM, MPI_COMM_WORLD),
            MPI_SUCCESS);
    }
}

// Two blocks of 2^30 bytes are 2^31 elements. Nothing is read or written before that is seen.
TEST(ReduceScatter, RefusesMoreElementsThanMpiReduceLocalCounts) {
    if (ranks_of_world() == 1) GTEST_SKIP() << "one block always fits";
    constexpr int count = 1 << 30;
    const std::vector<int> counts(static_cast<std::size_t>(ranks_of_world()), count);
    for (const char* const name :
         {"recursive_halving_Reduce_scatter", "recursive_doubling_Reduce_scatter",
          "reduce_scatterv_Reduce_scatter", "butterfly_Reduce_scatter",
          "near_first_Reduce_scatter"}) {
        const Variant variant = variant_of(name);
        EXPECT_EQ(variant.regular(nullptr, nullptr, count, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD),
                  MPI_ERR_COUNT)
            << variant.name;
        EXPECT_EQ(
            variant.irregular(nullptr, nullptr, counts.data(), MPI_BYTE, MPI_BOR, MPI_COMM_WORLD),
            MPI_ERR_COUNT)
            << variant.name;
    }
}

}  // namespace
}  // namespace mpiaudit::test
