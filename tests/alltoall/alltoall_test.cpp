// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "alltoall_problem.h"

namespace mpiaudit {
namespace {

class AlltoallTest : public testing::TestWithParam<NamedAlltoall> {};

TEST_P(AlltoallTest, moves_all_datatypes_and_counts) {
    const TypePairs pairs;
    for (const TypePair& types : pairs)
        for (const int count : {0, 1, 3, 100})
            check_alltoall(GetParam(), types, count, false, MPI_COMM_WORLD);
}

TEST_P(AlltoallTest, works_in_place) {
    const TypePairs pairs;
    for (const TypePair& types : pairs)
        for (const int count : {0, 1, 3, 100})
            check_alltoall(GetParam(), types, count, true, MPI_COMM_WORLD);
}

INSTANTIATE_TEST_SUITE_P(All, AlltoallTest, testing::ValuesIn(alltoall_algorithms()),
                         [](const auto& algorithm) { return algorithm.param.name; });

}  // namespace
}  // namespace mpiaudit
