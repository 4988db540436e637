// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/guideline.h"

#include <gmock/gmock.h>

#include "error_message.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

std::string error_of(const std::string& text) {
    return error_message([&] { parse_guidelines(text, "mine.json"); });
}

/// Returns a file with the given entries, the first one in line 2.
std::string file(const std::string& entries) {
    return "{\"guidelines\": [\n" + entries + "\n]}";
}

TEST(GuidelineFile, EverythingAGuidelineMayHave) {
    const auto guidelines = parse_guidelines(
        R"json({"title": "Mine", "source": "a paper", "guidelines": [
            {"id": "one", "from_bytes": 8, "to_bytes": 16, "statement": "MPI_Gather(m) <= MPI_Gatherv(m)", "advice": "Do it."},
            {"statement": "TUW_Gatherv <= linear_Gatherv", "id": "two", "source": "a talk"}]})json",
        "folder/mine.json");
    ASSERT_THAT(guidelines, SizeIs(2));
    EXPECT_EQ(guidelines[0].id, "one");
    EXPECT_EQ(guidelines[0].statement, "MPI_Gather(m) <= MPI_Gatherv(m)");
    EXPECT_EQ(guidelines[0].source, "a paper");
    EXPECT_EQ(guidelines[0].from_bytes, 8);
    EXPECT_EQ(guidelines[0].to_bytes, 16);
    EXPECT_EQ(guidelines[1].from_bytes, 0);
    EXPECT_GT(guidelines[1].to_bytes, Count{1} << 60);
    EXPECT_EQ(guidelines[0].advice, "Do it.");
    EXPECT_EQ(guidelines[0].file, "folder/mine.json");
    EXPECT_EQ(guidelines[0].inequality.right.name, "MPI_Gatherv(m)");
    EXPECT_EQ(guidelines[1].id, "two");
    EXPECT_EQ(guidelines[1].source, "a talk");
    EXPECT_EQ(guidelines[1].advice, "");
    EXPECT_EQ(guidelines[1].inequality.left.name, "TUW_Gatherv(m)");
}

/// Returns the statements of a family with their ids.
std::vector<std::string> expanded(const std::string& family) {
    std::vector<std::string> all;
    for (const Guideline& each : parse_guidelines(file(family), "mine.json"))
        all.push_back(each.id + ": " + each.statement + " " + each.advice);
    return all;
}

TEST(GuidelineFile, OneEntryForSeveralOperations) {
    EXPECT_THAT(
        expanded(R"x({"for": ["Bcast", "Reduce_scatter_block", "Barrier"], "id": "wait-{op}",
                     "statement": "MPI_{Op}(m) <= MPI_I{op}(m) + MPI_Wait", "advice": "MPI_I{op}"})x"),
        ElementsAre("wait-bcast: MPI_Bcast(m) <= MPI_Ibcast(m) + MPI_Wait MPI_Ibcast",
                    "wait-reduce_scatter_block: MPI_Reduce_scatter_block(m) <= "
                    "MPI_Ireduce_scatter_block(m) + MPI_Wait MPI_Ireduce_scatter_block",
                    "wait-barrier: MPI_Barrier <= MPI_Ibarrier + MPI_Wait MPI_Ibarrier"));
    EXPECT_THAT(
        expanded(
            R"x({"for": {"Scan": ["linear_Scan"], "Gatherv": ["TUW_Gatherv", "linear_Gatherv"]},
                     "id": "{algorithm}", "statement": "MPI_{Op}(m) <= {algorithm}(m)"})x"),
        testing::UnorderedElementsAre("linear_Scan: MPI_Scan(m) <= linear_Scan(m) ",
                                      "TUW_Gatherv: MPI_Gatherv(m) <= TUW_Gatherv(m) ",
                                      "linear_Gatherv: MPI_Gatherv(m) <= linear_Gatherv(m) "));
    EXPECT_THAT(
        expanded(R"x({"for": "all", "id": "{op}", "statement": "MPI_{Op} <= MPI_{Op}(m+k)"})x"),
        SizeIs(16));
    const auto of_table = [](const std::string& algorithms) {
        return expanded(
            R"x({"for": ")x" + algorithms +
            R"x(", "id": "{algorithm}", "statement": "MPI_{Op}(m) <= {algorithm}(m)"})x");
    };
    EXPECT_THAT(of_table("reference algorithms"),
                AllOf(Contains("linear_Scan: MPI_Scan(m) <= linear_Scan(m) "), SizeIs(144)));
    EXPECT_THAT(of_table("reference algorithms on nodes"),
                AllOf(Contains("lane_Scan: MPI_Scan(m) <= lane_Scan(m) "), SizeIs(22)));
}

TEST(GuidelineFile, ErrorsInAFamilyAreNamed) {
    const auto error_with = [](const std::string& operations) {
        return error_of(
            file(R"x({"id": "{op}", "statement": "MPI_{Op} <= MPI_{Op}(m+k)", "for": )x" +
                 operations + "}"));
    };
    for (const char* operations : {"3", "[]", "{}", R"("some")", "null"})
        EXPECT_THAT(error_with(operations),
                    StartsWith("mine.json:2: guidelines[0].for must be \"all\", a list of"))
            << operations;
    EXPECT_THAT(error_with("[3]"),
                StartsWith("mine.json:2: guidelines[0].for[0] must be a string"));
    EXPECT_THAT(error_with(R"({"Bcast": "linear_Bcast"})"), StartsWith("mine.json:2: "));
    EXPECT_THAT(error_with(R"(["Bcst"])"), HasSubstr("did you mean 'MPI_Bcast'?"));
    EXPECT_THAT(error_with(R"(["Bcast", "Bcast"])"),
                HasSubstr("mine.json:2: the id 'bcast' stands twice"));
    EXPECT_THAT(error_of(file(R"({"id": "a", "statement": "MPI_{Op} <= MPI_Gatherv"})")),
                StartsWith("mine.json:2: "));
}

TEST(GuidelineFile, MalformedJsonIsLocated) {
    EXPECT_THAT(error_of("{\n  \"guidelines\": [\n    {\"id\" 3}\n]}"),
                StartsWith("mine.json:3:11: syntax error"));
    EXPECT_THAT(error_of(""), StartsWith("mine.json:1:1: "));
}

TEST(GuidelineFile, WrongShape) {
    EXPECT_EQ(error_of("[]"), "mine.json: must be an object with a list \"guidelines\"");
    for (const char* text : {"{}", R"({"guidelines": []})", R"({"guidelines": {}})"})
        EXPECT_EQ(error_of(text), "mine.json: \"guidelines\" must be a list that is not empty");
    EXPECT_THAT(error_of(file("3")),
                AllOf(StartsWith("mine.json:"), HasSubstr("must be an object")));
    EXPECT_EQ(error_of(R"({"title": 3, "guidelines": [1]})"),
              "mine.json: \"title\" must be a text");
}

TEST(GuidelineFile, UnknownKeyWithSuggestion) {
    EXPECT_EQ(
        error_of(R"({"sources": "x", "guidelines": []})"),
        "mine.json: unknown key 'sources'; did you mean 'source'? Valid: guidelines, product, "
        "source, title");
    EXPECT_THAT(error_of(file(R"({"id": "a", "statement": "x", "advise": "y"})")),
                StartsWith("mine.json:2: unknown key 'advise'; did you mean 'advice'?"));
}

TEST(GuidelineFile, GuidelinesOfAnAbsentProductAreLeftOutByName) {
    const std::string text = R"({"guidelines": [
        {"product": "nowhere", "id": "a-{op}", "for": ["Bcast", "Scan"], "statement": "no"},
        {"id": "b", "statement": "MPI_Gather <= MPI_Gatherv"},
        {"product": "nowhere", "id": "c", "statement": "neither"}]})";
    EXPECT_EQ(names_of(parse_guidelines(text, "mine.json"), &Guideline::id),
              std::vector<std::string>{"b"});
    EXPECT_EQ(absent_guidelines(text, "mine.json"),
              (std::vector<std::string>{"a-bcast", "a-scan", "c"}));
    const std::string whole = R"({"product": "nowhere", "guidelines": [
        {"id": "d", "statement": "MPI_Gather <= MPI_Gatherv"}]})";
    EXPECT_TRUE(parse_guidelines(whole, "mine.json").empty());
    EXPECT_EQ(absent_guidelines(whole, "mine.json"), std::vector<std::string>{"d"});
}

TEST(GuidelineFile, MissingOrEmptyMembers) {
    EXPECT_EQ(error_of(file(R"({"statement": "MPI_Gather <= MPI_Gatherv"})")),
              "mine.json:2: \"id\" is missing");
    EXPECT_EQ(error_of(file(R"({"id": "", "statement": "MPI_Gather <= MPI_Gatherv"})")),
              "mine.json:2: \"id\" must be a text");
    EXPECT_EQ(error_of(file(R"({"id": "a", "statement": 3})")),
              "mine.json:2: \"statement\" must be a text");
}

TEST(GuidelineFile, GuidelineWithoutStatementIsNamedByItsNumber) {
    const std::string good = R"({"id": "a", "statement": "MPI_Gather <= MPI_Gatherv"})";
    EXPECT_EQ(error_of(file(good + ",\n{\"id\": \"b\"},\n" + good)),
              "mine.json: guideline 2: \"statement\" is missing");
}

TEST(GuidelineFile, DuplicateId) {
    const std::string good = R"({"id": "a", "statement": "MPI_Gather <= MPI_Gatherv"})";
    EXPECT_EQ(error_of(file(good + ",\n" + good)), "mine.json:3: the id 'a' stands twice");
    for (const std::string id : {"a,b", "a b", "-a"}) {
        EXPECT_THAT(error_of(file(R"x({"id": ")x" + id + R"x(", "statement": "A(m) <= B(m)"})x")),
                    testing::HasSubstr("\"id\" is '" + id + "'; leave out commas"));
    }
}

TEST(GuidelineFile, LineAndPlaceOfABadStatementInTheMiddle) {
    const auto with = [](const std::string& statement) {
        return R"({"title": "about a \"statement\"", "guidelines": [
                   {"id": "a", "statement": "MPI_Gather <= MPI_Gatherv"},
                   {"id": "b",
                    "statement": ")" +
               statement + R"("},
                   {"id": "c", "statement": "MPI_Gather <= TUW_Gatherv"}]})";
    };
    EXPECT_EQ(error_of(with("MPI_Gather = MPI_Gatherv")),
              "mine.json:4: expected '<=' or '+' here\n"
              "    MPI_Gather = MPI_Gatherv\n"
              "               ^");
    EXPECT_EQ(error_of(with("MPI_Gather ⪯ MPI_Gather + TUW_Gatherv")),
              "mine.json:4: the path breaks here: TUW_Gatherv starts from scattered, but the data "
              "are rooted\n"
              "    MPI_Gather ⪯ MPI_Gather + TUW_Gatherv\n"
              "                              ^");
}

TEST(GuidelineFile, AProfileOfPgmpiTuneLibIsAGuidelineForEachRange) {
    const auto guidelines = parse_guidelines(
        "MPI_Allgather # name\n4\n1\n1 allgather_as_gather_bcast\n2\n16 32 1\n64 64 1\n", "p.prf");
    ASSERT_EQ(guidelines.size(), 2U);
    EXPECT_EQ(guidelines[0].id, "allgather-as-gather-bcast-16-32");
    EXPECT_EQ(guidelines[0].statement, "MPI_Allgather(m) <= MPI_Gather(m) + MPI_Bcast(m)");
    EXPECT_EQ(guidelines[0].ranks, 4);
    // Bytes of all blocks together.
    EXPECT_EQ(guidelines[0].from_bytes, 64);
    EXPECT_EQ(guidelines[0].to_bytes, 128);
    try {
        parse_guidelines("# profile\nhello\n", "p.prf");
        FAIL();
    } catch (const std::invalid_argument& error) {
        EXPECT_STREQ(error.what(),
                     "p.prf: is neither a file of guidelines in JSON nor a profile of PGMPITuneLib "
                     "(.prf); it begins with '# profile'");
    }
}

}  // namespace
}  // namespace mpiaudit
