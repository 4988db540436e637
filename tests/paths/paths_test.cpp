// SPDX-License-Identifier: BSD-3-Clause
#include "paths/paths.h"

#include <gmock/gmock.h>

#include <set>

#include "catalogue/catalogue.h"
#include "error_message.h"
#include "joined_papers.h"
#include "rules/rules.h"

namespace mpiaudit::paths {
namespace {

using testing::HasSubstr;

std::string error_of(const char* collective, const char* path) {
    return error_message([&] { find_path(collective, path); });
}

TEST(Paths, AreFoundByTheNamesTheyAreListedWith) {
    for (const MpiOperation& collective : rules::all_collectives())
        for (const std::string& name : paths_of(collective.name)) {
            const Path path = find_path(collective.name, name);
            EXPECT_EQ(path.name, name);
            EXPECT_NE(path.direct == nullptr, path.composed == nullptr) << name;
        }
}

/// A rule that names a missing path cannot be applied, so a violation would have no remedy.
TEST(Paths, LeaveOutNoReferenceAlgorithmOfTheCatalogue) {
    std::set<std::string> names;
    for (const MpiOperation& collective : rules::all_collectives())
        for (const std::string& name : paths_of(collective.name)) names.insert(name);
    for (const Arrow& arrow : catalogue()) {
        // A request or a network that a call would have to know; pieces of elements.
        if (arrow.kind != Kind::reference || arrow.name.starts_with("persBruck") ||
            (arrow.needs & a_network) != 0 || arrow.name == "circulant_Allgatherv")
            continue;
        EXPECT_TRUE(names.contains(arrow.name + "(m)")) << arrow.name;
    }
    EXPECT_TRUE(names.contains("MPI_Bcast[lane](m)"));
}

TEST(Paths, SendMessagesOfTheirOwnWhenTheyAreReferences) {
    EXPECT_TRUE(find_path("MPI_Allreduce", "census_Allreduce(m)").needs_exact_sums);
    EXPECT_FALSE(find_path("MPI_Allreduce", "ring_Allreduce(m)").needs_exact_sums);
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
