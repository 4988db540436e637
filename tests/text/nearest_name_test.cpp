// SPDX-License-Identifier: BSD-3-Clause
#include "text/nearest_name.h"

#include <gtest/gtest.h>

namespace mpiaudit {
namespace {

const std::vector<std::string> names{"same", "random", "spikes", "two-blocks"};

TEST(NearestName, SuggestsTheNearestAndListsAllSorted) {
    EXPECT_EQ(unknown_name("distribution", "spike", names),
              "unknown distribution 'spike'; did you mean 'spikes'? "
              "Valid: random, same, spikes, two-blocks");
}

TEST(NearestName, SuggestsNothingWhenNothingIsClose) {
    EXPECT_EQ(unknown_name("distribution", "zipf", names),
              "unknown distribution 'zipf'; valid: random, same, spikes, two-blocks");
    EXPECT_EQ(unknown_name("distribution", "", names),
              "unknown distribution ''; valid: random, same, spikes, two-blocks");
}

TEST(NearestName, CountsInsertionsDeletionsAndReplacements) {
    for (const char* typo : {"two_blocks", "twoblocks", "two--blocks", "tow-blocks", "two-bloks"}) {
        EXPECT_NE(unknown_name("distribution", typo, names).find("did you mean 'two-blocks'?"),
                  std::string::npos)
            << typo;
    }
}

TEST(NearestName, LetterCaseDoesNotMatter) {
    EXPECT_EQ(unknown_name("collective", "mpi_gatherv", {"MPI_Gather", "MPI_Gatherv"}),
              "unknown collective 'mpi_gatherv'; did you mean 'MPI_Gatherv'? "
              "Valid: MPI_Gather, MPI_Gatherv");
}

TEST(NearestName, ShortNamesAreNotReplacedAltogether) {
    EXPECT_EQ(unknown_name("name", "x", {"i", "p"}), "unknown name 'x'; valid: i, p");
}

TEST(NearestName, OfManyTheNearestAreListed) {
    std::vector<std::string> many{"gather-1"};
    for (int k = 0; k < 400; ++k) many.push_back("reference-" + std::to_string(k));
    const std::string text = unknown_name("id", "gather-2", many);
    EXPECT_TRUE(
        text.starts_with("unknown id 'gather-2'; did you mean 'gather-1'? Valid: gather-1, "))
        << text;
    EXPECT_TRUE(text.ends_with(" and 371 more")) << text;
}

TEST(NearestName, NothingToChooseFrom) {
    EXPECT_EQ(unknown_name("parameter", "rho", {}), "unknown parameter 'rho'; valid: none");
}

}  // namespace
}  // namespace mpiaudit
