// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "catalogue/catalogue.h"
#include "guidelines/guideline_file.h"
#include "joined_papers.h"

namespace mpiaudit {
namespace {

using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

std::vector<Guideline> shipped_guidelines() {
    std::vector<Guideline> all;
    for (const auto& file : std::filesystem::directory_iterator(SOURCE_DIR "/guidelines")) {
        if (file.path().extension() != ".json") continue;
        std::ostringstream text;
        text << std::ifstream(file.path()).rdbuf();
        for (Guideline& each : parse_guidelines(text.str(), file.path().filename()))
            all.push_back(std::move(each));
    }
    return all;
}

TEST(ShippedGuidelines, AllParseAndSayWhereTheyComeFromAndWhatToDo) {
    const std::vector<Guideline> all = shipped_guidelines();
    ASSERT_THAT(all, Not(IsEmpty()));
    for (const Guideline& each : all) {
        EXPECT_NE(each.source, "") << each.id;
        EXPECT_NE(each.advice, "") << each.id;
        EXPECT_EQ(each.inequality.left.from(), each.inequality.right.from()) << each.id;
        EXPECT_EQ(each.inequality.left.to(), each.inequality.right.to()) << each.id;
    }
}

TEST(ShippedGuidelines, IdsAreUniqueOverAllFiles) {
    std::set<std::string> ids;
    for (const Guideline& each : shipped_guidelines())
        EXPECT_TRUE(ids.insert(each.id).second) << each.id << " in " << each.file;
}

TEST(ShippedGuidelines, ThoseOfThePaperOnIrregularGather) {
    std::vector<std::string> statements;
    for (const Guideline& each : shipped_guidelines()) {
        if (each.file == "irregular.json") statements.push_back(each.statement);
    }
    EXPECT_THAT(statements, IsSupersetOf({"MPI_Gather(m) <= MPI_Gatherv(m)",
                                          "MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')",
                                          "MPI_Gatherv(m) <= TUW_Gatherv(m)",
                                          "TUW_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')",
                                          "MPI_Gather(m) <= TUW_Gatherv(m)"}));
}

}  // namespace
}  // namespace mpiaudit
