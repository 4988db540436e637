// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "alltoall_problem.h"

namespace mpiaudit {
namespace {

class AlltoallvTest : public testing::TestWithParam<NamedAlltoallv> {};

TEST_P(AlltoallvTest, moves_all_datatypes_and_distributions) {
    const TypePairs pairs;
    for (const TypePair& types : pairs)
        for (const NamedDistribution& distribution : distributions())
            check_alltoallv(GetParam(), types, distribution, false, MPI_COMM_WORLD);
}

TEST_P(AlltoallvTest, works_in_place) {
    const TypePairs pairs;
    for (const TypePair& types : pairs)
        for (const NamedDistribution& distribution : distributions())
            if (distribution.is_symmetric)
                check_alltoallv(GetParam(), types, distribution, true, MPI_COMM_WORLD);
}

INSTANTIATE_TEST_SUITE_P(All, AlltoallvTest, testing::ValuesIn(alltoallv_algorithms()),
                         [](const auto& algorithm) { return algorithm.param.name; });

}  // namespace
}  // namespace mpiaudit
