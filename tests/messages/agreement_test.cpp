// SPDX-License-Identifier: BSD-3-Clause
#include "messages/agreement.h"

#include <gmock/gmock.h>

#include <array>

#include "../world.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

int last_rank() {
    const int ranks = ranks_of_world();
    return ranks - 1;
}

TEST(Agreement, LargestOnEveryRank) {
    std::array<double, 2> values = {0.5 * own_rank(), -own_rank() - 1.0};
    take_largest(values, MPI_COMM_WORLD);
    EXPECT_THAT(values, ElementsAre(0.5 * last_rank(), -1.0));
    EXPECT_EQ(largest_of_ranks(-own_rank(), MPI_COMM_WORLD), 0);
    EXPECT_EQ(largest_of_ranks(own_rank() * own_rank(), MPI_COMM_WORLD), last_rank() * last_rank());
}

TEST(Agreement, ExtremesOnRank0) {
    const std::vector<double> own = {1.0 * own_rank(), 7.0, -2.0 * own_rank()};
    const auto largest = largest_on_rank_0(own, MPI_COMM_WORLD);
    const auto smallest = smallest_on_rank_0(own, MPI_COMM_WORLD);
    if (own_rank() != 0) {
        EXPECT_THAT(largest, IsEmpty());
        EXPECT_THAT(smallest, IsEmpty());
        return;
    }
    EXPECT_THAT(largest, ElementsAre(last_rank(), 7.0, 0.0));
    EXPECT_THAT(smallest, ElementsAre(0.0, 7.0, -2.0 * last_rank()));
}

}  // namespace
}  // namespace mpiaudit
