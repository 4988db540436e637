// SPDX-License-Identifier: BSD-3-Clause
#include "settings/families.h"

#include <gtest/gtest.h>

namespace mpiaudit::settings {
namespace {

std::string family(std::string_view algorithm) {
    return family_of(algorithm);
}

TEST(Families, LibrariesNameOneFamilyDifferently) {
    EXPECT_EQ(family("knomial"), "k-nomial tree");
    EXPECT_EQ(family("scatter_allgather_ring"), family("scatter_ring_allgather"));
    EXPECT_EQ(family("sched_brucks"), family("bruck"));
    EXPECT_EQ(family("tsp_recexch_multiple_buffer"), "recursive multiplying, radix k");
    EXPECT_EQ(family("of_tomorrow"), "of tomorrow");
}

TEST(Families, AReferenceAlgorithmHasItsRadix) {
    const auto of = [](const char* name) { return family_of(parse_form(name)); };
    EXPECT_EQ(of("dissemination_Allgather_radix4"), "dissemination, radix 4");
    EXPECT_EQ(of("recursive_multiplying_Allreduce"), "recursive multiplying");
    EXPECT_EQ(of("van_de_Geijn_ring_Bcast"), family("scatter_allgather_ring"));
    EXPECT_EQ(of("Rabenseifner_Reduce"), family("rabenseifner"));
    EXPECT_EQ(of("MPI_Ibcast[knomial]"), "k-nomial tree");
    EXPECT_EQ(of("MPI_Bcast"), "");
}

TEST(Families, AFamilyThatSaysNoMoreIsLeftOut) {
    EXPECT_EQ(with_family("recursive_doubling"), "recursive_doubling");
    EXPECT_EQ(with_family("linear_nb"), "linear_nb (linear, nonblocking)");
}

}  // namespace
}  // namespace mpiaudit::settings
