// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "collectives/reduce/reduction_case.h"
#include "world.h"

namespace mpiaudit::test {
namespace {

std::vector<Algorithm> rows() {
    return rows_of({"MPI_Reduce_scatter", "MPI_Reduce_scatter_block"});
}

void expect_all(const Algorithm& row, const ReductionCase& reduction, int count) {
    const auto size = static_cast<std::size_t>(ranks_of_world());
    const std::vector<int> equal(size, count);
    std::vector<int> uneven(size);
    for (std::size_t i = 0; i < size; ++i) uneven[i] = static_cast<int>(i * 7 + 3) % 5 * count;
    std::vector<int> single(size, 0);
    single[size / 2] = count;
    for (const bool in_place : {false, true})
        for (const std::vector<int>& counts : {equal, uneven, single})
            if (counts == equal || row.operation == "MPI_Reduce_scatter")
                expect_reduce_scatter(row, reduction, counts, in_place);
}

TEST(ReduceScatter, CombinesInTheOrderOfTheRanksAndTouchesNothingElse) {
    for (const ReductionCase& reduction : reduction_cases())
        for (const Algorithm& row : rows()) {
            if ((row.traits & reorders_operands) != 0 && !reduction.is_commutative) continue;
            for (const int count : {0, 1, 5, 100}) expect_all(row, reduction, count);
        }
}

TEST(ReduceScatter, MPICH2004WorksAboveItsLimit) {
    const ReductionCase sum = std::move(reduction_cases().front());
    const std::vector<int> counts(static_cast<std::size_t>(ranks_of_world()),
                                  512 * 1024 / 4 / ranks_of_world() + 1);
    expect_reduce_scatter(row_of("MPICH2004_Reduce_scatter"), sum, counts, false);
}

/// Returns the code of a call without buffers.
int code_of(const Algorithm& row, int count, MPI_Datatype type, MPI_Op op) {
    const std::vector<int> counts(static_cast<std::size_t>(ranks_of_world()), count);
    if (row.operation == "MPI_Reduce_scatter")
        return reinterpret_cast<decltype(&MPI_Reduce_scatter)>(row.function)(
            nullptr, nullptr, counts.data(), type, op, MPI_COMM_WORLD);
    return reinterpret_cast<decltype(&MPI_Reduce_scatter_block)>(row.function)(
        nullptr, nullptr, count, type, op, MPI_COMM_WORLD);
}

// Two blocks of 2^30 bytes are 2^31 elements. Nothing is read or written before that is seen.
TEST(ReduceScatter, RefusesMoreElementsThanMpiReduceLocalCounts) {
    if (ranks_of_world() == 1) GTEST_SKIP() << "one block always fits";
    for (const std::string name :
         {"recursive_halving_Reduce_scatter", "recursive_doubling_Reduce_scatter",
          "reduce_scatterv_Reduce_scatter", "butterfly_Reduce_scatter",
          "near_first_Reduce_scatter"})
        for (const std::string& twin : {name, name + "_block"})
            EXPECT_EQ(code_of(row_of(twin), 1 << 30, MPI_BYTE, MPI_BOR), MPI_ERR_COUNT) << twin;
}

}  // namespace
}  // namespace mpiaudit::test
