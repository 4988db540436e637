// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/datatypes/layout.h"

#include <gtest/gtest.h>

namespace mpiaudit::test {
namespace {

TEST(Address, MovesByBytesInBothDirections) {
    char buffer[16];
    EXPECT_EQ(displaced(buffer, 5), buffer + 5);
    EXPECT_EQ(displaced(displaced(buffer, -40), 40), buffer);
    const char* constant = buffer;
    EXPECT_EQ(displaced(constant, 3), buffer + 3);
}

TEST(Address, FromMpiBottomIsAbsolute) {
    int number = 0;
    EXPECT_EQ(displaced(MPI_BOTTOM, absolute_displacement(&number)), &number);
}

TEST(Address, MovesByMoreThanAnIntCounts) {
    constexpr MPI_Aint far = MPI_Aint{5} << 31;
    EXPECT_EQ(absolute_displacement(displaced(MPI_BOTTOM, far)), far);
    EXPECT_EQ(displaced(displaced(MPI_BOTTOM, far), -far), MPI_BOTTOM);
}

}  // namespace
}  // namespace mpiaudit::test
