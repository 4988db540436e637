// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "catalogue/catalogue.h"
#include "guidelines/guideline.h"
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

TEST(ShippedGuidelines, AllParseByIdsOfTheirOwnAndSayWhereTheyComeFromAndWhatToDo) {
    const std::vector<Guideline> all = shipped_guidelines();
    ASSERT_THAT(all, Not(IsEmpty()));
    std::set<std::string> ids;
    for (const Guideline& each : all) {
        EXPECT_TRUE(ids.insert(each.id).second) << each.id << " in " << each.file;
        EXPECT_NE(each.source, "") << each.id;
        EXPECT_NE(each.advice, "") << each.id;
        EXPECT_EQ(each.inequality.left.from(), each.inequality.right.from()) << each.id;
        EXPECT_EQ(each.inequality.left.to(), each.inequality.right.to()) << each.id;
    }
}

TEST(ShippedGuidelines, HaveThePaperOnIrregularGather) {
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

std::set<std::string> derived_statements(int length) {
    std::set<std::string> statements;
    for (const Guideline& each : derive_guidelines(length)) statements.insert(each.statement);
    return statements;
}

// The 23 mock-ups of PGMPITuneLib, named after the replaced operation and the replacement.
TEST(Derivation, FindsTheCompositionsOfPgmpiTuneLib) {
    const std::map<std::string, std::vector<std::string>> mock_ups = {
        {"Allgather(m)",
         {"Allgatherv(m)", "Allreduce(m)", "Alltoall(m)", "Gather(m) + MPI_Bcast(m)"}},
        {"Allreduce(m)",
         {"Reduce(m) + MPI_Bcast(m)", "Reduce_scatter_block(m) + MPI_Allgather(m)",
          "Reduce_scatter(m) + MPI_Allgatherv(m)"}},
        {"Alltoall(m)", {"Alltoallv(m)"}},
        {"Bcast(m)", {"Allgatherv(m)", "Scatter(m) + MPI_Allgather(m)"}},
        {"Gather(m)", {"Allgather(m)", "Gatherv(m)", "Reduce(m)"}},
        {"Reduce(m)",
         {"Allreduce(m)", "Reduce_scatter_block(m) + MPI_Gather(m)",
          "Reduce_scatter(m) + MPI_Gatherv(m)", "Reduce_scatter(m)"}},
        {"Reduce_scatter_block(m)",
         {"Reduce(m) + MPI_Scatter(m)", "Reduce_scatter(m)", "Allreduce(m)"}},
        {"Scan(m)", {"Exscan(m) + MPI_Reduce_local(m)"}},
        {"Scatter(m)", {"Bcast(m)", "Scatterv(m)"}}};
    const std::set<std::string> derived = derived_statements(2);
    for (const auto& [left, rights] : mock_ups)
        for (const std::string& right : rights)
            EXPECT_THAT(derived, testing::Contains("MPI_" + left + " <= MPI_" + right));
}

TEST(Derivation, FindsEveryPatternThatIsWrittenByHand) {
    const std::set<std::string> derived = derived_statements(2);
    for (const Guideline& each : shipped_guidelines())
        if (each.file == "self-consistent.json" || each.file == "irregular-others.json") {
            EXPECT_THAT(derived, testing::Contains(each.statement)) << each.file;
        }
    EXPECT_THAT(derived, testing::Contains("MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')"));
}

TEST(Derivation, LengthOneHasNoCompositions) {
    const std::set<std::string> derived = derived_statements(1);
    EXPECT_THAT(derived, testing::Contains("MPI_Gather(m) <= MPI_Gatherv(m)"));
    EXPECT_THAT(derived, testing::Each(testing::Not(testing::HasSubstr(" + "))));
}

TEST(Derivation, PathsAreSimpleAndNeverTheLeftSideItselfAndIdsUnique) {
    std::set<std::string> ids;
    for (const Guideline& each : derive_guidelines(3)) {
        EXPECT_TRUE(ids.insert(each.id).second) << each.id;
        std::set<Layout> visited = {each.inequality.right.from()};
        for (const PathStep& step : each.inequality.right.steps) {
            EXPECT_TRUE(visited.insert(step.target()).second) << each.statement;
            EXPECT_NE(step.arrow, each.inequality.left.steps.front().arrow) << each.statement;
        }
        EXPECT_EQ(each.inequality.left.from(), each.inequality.right.from());
        EXPECT_EQ(each.inequality.left.to(), each.inequality.right.to()) << each.statement;
    }
}

TEST(Derivation, StatementsReadBackAsTheyWerePrinted) {
    for (const Guideline& each : derive_guidelines(2)) {
        const Inequality again = resolve(parse_statement(each.statement));
        EXPECT_EQ(again.right.describe(), each.inequality.right.describe());
    }
}

}  // namespace
}  // namespace mpiaudit
