// SPDX-License-Identifier: BSD-3-Clause
#include "rules/rules.h"
#include "error_message.h"

#include <gmock/gmock.h>

namespace mpiaudit::rules {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string file_with(const std::string& rule) {
    return R"({"format": "mpiaudit-rules", "version": 1, "library": "L", "rules": [)" + rule + "]}";
}

std::string error_of(const std::string& text) {
    return error_message([&] { parse_rules(text, "rules.json"); });
}

TEST(Rules, AreReadAsTheyAreWritten) {
    Rules rules{.library = "Open MPI v4.1.4", .report = "audit/report.json", .rules = {}};
    rules.rules.resize(3);
    Rule& gatherv = rules.rules[0];
    gatherv.collective = "MPI_Gatherv";
    gatherv.path = "linear_Gatherv(m)";
    gatherv.per_host = {3, 1};
    gatherv.root = 2;
    gatherv.factor = 1.37;
    gatherv.saves_seconds_per_call = 6.8e-6;
    gatherv.evidence = "1.37 (1.30 .. 1.44), six launches";
    Rule& allgatherv = rules.rules[1];
    allgatherv.collective = "MPI_Allgatherv";
    allgatherv.path = "MPI_Gatherv(m) + MPI_Bcast(m)";
    allgatherv.per_host = {2};
    allgatherv.bytes = Range{80, 8000};
    allgatherv.blocks = {80, 0};
    Rule& allreduce = rules.rules[2];
    allreduce.collective = "MPI_Allreduce";
    allreduce.path = "ring_Allreduce(m)";
    allreduce.per_host = {2};
    allreduce.reassociates = true;

    const std::string text = rules_file(rules);
    const Rules read = parse_rules(text, "rules.json");
    EXPECT_EQ(rules_file(read), text);
    EXPECT_EQ(read.library, "Open MPI v4.1.4");
    EXPECT_EQ(read.report, "audit/report.json");
    ASSERT_EQ(read.rules.size(), 3U);
    EXPECT_EQ(read.rules[0].ranks(), 4);
    EXPECT_EQ(read.rules[0].root, 2);
    EXPECT_FALSE(read.rules[0].bytes);
    EXPECT_EQ(read.rules[0].factor, 1.37);
    EXPECT_EQ(read.rules[0].evidence, gatherv.evidence);
    EXPECT_EQ(read.rules[1].bytes->from, 80);
    EXPECT_EQ(read.rules[1].bytes->to, 8000);
    EXPECT_EQ(read.rules[1].blocks, allgatherv.blocks);
    EXPECT_TRUE(read.rules[2].reassociates);
}

TEST(Rules, MayBeNone) {
    EXPECT_TRUE(
        parse_rules(rules_file({.library = "L", .report = "", .rules = {}}), "f").rules.empty());
}

TEST(Rules, SayWhatIsWrongWithTheFile) {
    EXPECT_THAT(error_of("{"), StartsWith("rules.json:1:"));
    EXPECT_THAT(error_of("[]"), HasSubstr(R"("format": "mpiaudit-rules")"));
    EXPECT_THAT(error_of(R"({"format": "mpiaudit-rules", "version": 2})"),
                HasSubstr("version must be 1"));
    EXPECT_THAT(error_of(R"({"format": "mpiaudit-rules", "version": 1, "library": ""})"),
                HasSubstr("library must not be empty"));
    EXPECT_THAT(error_of(R"({"format": "mpiaudit-rules", "version": 1, "libary": "L"})"),
                HasSubstr("did you mean 'library'"));
}

/// Returns the message about a rule for two ranks with these members.
std::string error_with(const std::string& collective, const std::string& members) {
    return error_of(file_with(R"x({"path": "p(m)", "ranks": 2, "per_host": [2], "collective": ")x" +
                              collective + "\", " + members + "}"));
}

TEST(Rules, SayWhatIsWrongWithARule) {
    EXPECT_EQ(error_with("MPI_Gatherv", R"("root": 1)"), "");
    EXPECT_EQ(error_with("MPI_Gatherv", R"("root": null)"), "");
    for (const auto& [collective, members, said] :
         {std::tuple{"MPI_Gatherw", R"("root": 1)",
                     "rules[0].collective is no blocking collective"},
          {"MPI_Gatherv", R"("root": 2)", "rules[0].root"},
          {"MPI_Allreduce", R"("root": 0)", "has none"},
          {"MPI_Bcast", R"("bytes": {"from": 8, "to": 7})", "rules[0].bytes.to"},
          {"MPI_Bcast", R"("blocks": [8, 8])", "must be left out"},
          {"MPI_Bcast", R"("reassociates": true)", "adds nothing up"},
          {"MPI_Allgatherv", R"("blocks": [8])", "has 1 blocks for 2 ranks"},
          {"MPI_Bcast", R"("factor": -1)", "rules[0].factor"},
          {"MPI_Bcast", R"("sizes": 1)", "'sizes'"},
          {"MPI_Bcast", R"("per_host": [2, 1])",
           "rules[0].per_host must add up to the 2 ranks, not 3"}})
        EXPECT_THAT(error_with(collective, members),
                    AllOf(StartsWith("rules.json: "), HasSubstr(said)));
    // Only some ranks know these sizes.
    for (const char* collective :
         {"MPI_Gatherv", "MPI_Scatterv", "MPI_Alltoallv", "MPI_Alltoallw", "MPI_Barrier"})
        EXPECT_THAT(error_with(collective, R"("bytes": {"from": 0, "to": 8})"),
                    HasSubstr("rules[0].bytes must be left out"));
}

TEST(Rules, AProfileOfPgmpiTuneLibIsRulesForAnyHosts) {
    const Rules rules = parse_rules(
        "MPI_Allgather # name\n4\n1\n1 allgather_as_gather_bcast\n1\n16 32 1\n", "p.prf");
    EXPECT_EQ(rules.library, any_library);
    ASSERT_EQ(rules.rules.size(), 1U);
    const Rule& rule = rules.rules.front();
    EXPECT_EQ(rule.path, "MPI_Gather(m) + MPI_Bcast(m)");
    EXPECT_EQ(rule.bytes->from, 16);
    EXPECT_EQ(rule.bytes->to, 32);
    EXPECT_EQ(rule.ranks(), 4);
    EXPECT_TRUE(rule.is_for(std::vector{4}));
    EXPECT_TRUE(rule.is_for(std::vector{3, 1}));
    EXPECT_FALSE(rule.is_for(std::vector{3}));
}

}  // namespace
}  // namespace mpiaudit::rules
