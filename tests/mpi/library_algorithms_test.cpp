// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/library_algorithms.h"

#include <gtest/gtest.h>

namespace mpiaudit {
namespace {

TEST(LibraryAlgorithms, AreReadFromDescriptionsWithoutEndsOfLines) {
    EXPECT_EQ(
        described_values("Variable to select bcast algorithmauto - Internal algorithm "
                         "selection (can be overridden)nb   - Force nonblocking algorithmsmp  "
                         "- Force smp algorithmbinomial - Force Binomial Treescatter_ring - "
                         "Force Scatter Ring Allgatherring - Force ring-based algorithm"),
        (NamedValues{{"auto", 0},
                     {"nb", 1},
                     {"smp", 2},
                     {"binomial", 3},
                     {"scatter_ring", 4},
                     {"ring", 5}}));
}

TEST(LibraryAlgorithms, AreReadFromDescriptionsOfLines) {
    EXPECT_EQ(described_values("Variable to select\nauto - Internal\nlinear\t - Force linear\n"),
              (NamedValues{{"auto", 0}, {"linear", 1}}));
    EXPECT_TRUE(described_values("- Force nothing; a - b").empty());
}

}  // namespace
}  // namespace mpiaudit
