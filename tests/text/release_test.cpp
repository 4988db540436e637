// SPDX-License-Identifier: BSD-3-Clause
#include "text/release.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace mpiaudit {
namespace {

TEST(OpenMpi, ReleasesUpToTheLastOfTheirSeries) {
    const auto is_known = [](const char* name) {
        return is_release_up_to(name, "Open MPI", {"4.1.99", "5.0.7", "6.0.0rc2"});
    };
    for (const char* known :
         {"4.0.0", "4.1.8", "5.0.0", "5.0.7", "5.0.7rc1", "6.0.0rc1", "6.0.0rc2"})
        EXPECT_TRUE(is_known(fmt::format("Open MPI v{}", known).c_str())) << known;
    for (const char* other : {"3.1.6", "5.0.8", "5.1.0", "6.0.0rc3", "6.0.0", "7.0.0", "5"})
        EXPECT_FALSE(is_known(fmt::format("Open MPI v{}", other).c_str())) << other;
    EXPECT_FALSE(is_known("MPICH 4.0.2"));
    EXPECT_FALSE(is_known(""));
}

TEST(Mpich, ReleasesOfTwoNumbersAndReleasesBeforeTheFinalOne) {
    const auto is_known = [](const char* name) {
        return is_release_up_to(name, "MPICH", {"4.0.2", "5.0b1"});
    };
    for (const char* known : {"4.0", "4.0a2", "4.0rc3", "4.0.2", "5.0a1", "5.0.0b1"})
        EXPECT_TRUE(is_known(fmt::format("MPICH {}", known).c_str())) << known;
    for (const char* other : {"4.0.3", "4.1", "4.1a1", "5.0b2", "5.0rc1", "5.0", "5", "5."})
        EXPECT_FALSE(is_known(fmt::format("MPICH {}", other).c_str())) << other;
}

TEST(Release, OfTheLibraryOfAnotherVendorIsUnknown) {
    EXPECT_EQ(release_of_library("Open MPI v4.1.4", "Open MPI"), (Release{4, 1, 4, 3, 0}));
    EXPECT_EQ(release_of_library("MPICH 4.0", "MPICH"), (Release{4, 0, 0, 3, 0}));
    for (const char* const name : {"MPICH 4.0", "Open MPIx 4.1", "Open MPI", ""})
        EXPECT_EQ(release_of_library(name, "Open MPI"), std::nullopt) << name;
}

}  // namespace
}  // namespace mpiaudit
