// SPDX-License-Identifier: BSD-3-Clause
#include "paths/paths.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "catalogue/catalogue.h"
#include "paths/terms.h"
#include "rules/rules.h"

namespace mpiaudit::paths {
namespace {

using testing::HasSubstr;

std::string error_of(const char* collective, const char* path) {
    try {
        find_path(collective, path);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "none";
}

TEST(Paths, AreFoundByTheNamesTheyAreListedWith) {
    for (const rules::Collective& collective : rules::all_collectives())
        for (const std::string& name : paths_of(collective.name)) {
            const Path path = find_path(collective.name, name);
            EXPECT_EQ(path.name, name);
            EXPECT_NE(path.direct == nullptr, path.composed == nullptr) << name;
        }
}

/// A rule that names one cannot be carried out, so a violation that it shows has no remedy.
TEST(Paths, LeaveOutNoReferenceAlgorithmOfTheCatalogue) {
    // Made of several functions, or of a request that a call would have to keep.
    constexpr std::array no_single_functions = {"lane_", "hierarchical_", "persBruck"};
    for (const Arrow& arrow : catalogue()) {
        if (arrow.kind != Kind::reference || (arrow.needs & a_network) != 0) continue;
        if (std::ranges::any_of(no_single_functions,
                                [&](const char* prefix) { return arrow.name.starts_with(prefix); }))
            continue;
        EXPECT_NE(find_operation(arrow.name), nullptr) << arrow.name;
    }
}

TEST(Paths, SendMessagesOfTheirOwnWhenTheyAreReferences) {
    EXPECT_TRUE(find_path("MPI_Gatherv", "linear_Gatherv(m)").needs_duplicate);
    EXPECT_TRUE(find_path("MPI_Gather", "linear_Gatherv(m)").needs_duplicate);
    EXPECT_TRUE(find_path("MPI_Allgather", "binomial_Gather(m) + MPI_Bcast(m)").needs_duplicate);
    EXPECT_FALSE(find_path("MPI_Allgather", "MPI_Gather(m) + MPI_Bcast(m)").needs_duplicate);
}

TEST(Paths, SayWhatIsWrongWithAName) {
    EXPECT_THAT(error_of("MPI_Gatherv", "liner_Gatherv(m)"),
                HasSubstr("did you mean 'linear_Gatherv(m)'?"));
    for (const char* name :
         {"", " + ", "linear_Gatherv", "linear_Gatherv(m')", "MPI_Bcast(m)",
          "MPI_Gather(m) + MPI_Bcast(m) + MPI_Bcast(m)", "(m)", "linear_Gatherv(m) + "})
        EXPECT_THAT(error_of("MPI_Gatherv", name), HasSubstr("cannot take the place of")) << name;
    EXPECT_THAT(error_of("MPI_Allgatherv", "circulant_Allgatherv(m)"),
                HasSubstr("cuts blocks into elements"));
}

}  // namespace
}  // namespace mpiaudit::paths
