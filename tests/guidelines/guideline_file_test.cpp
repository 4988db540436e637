// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/guideline_file.h"

#include <gmock/gmock.h>

#include "problem/error_message.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

std::string error_of(const std::string& text) {
    return error_message([&] { parse_guidelines(text, "mine.json"); });
}

/// A file whose list has the given entries, the first of them in line 2.
std::string file(const std::string& entries) {
    return "{\"guidelines\": [\n" + entries + "\n]}";
}

TEST(GuidelineFile, EverythingAGuidelineMayHave) {
    const auto guidelines = parse_guidelines(
        R"json({"title": "Mine", "source": "a paper", "guidelines": [
            {"id": "one", "statement": "MPI_Gather(m) <= MPI_Gatherv(m)", "advice": "Do it."},
            {"statement": "TUW_Gatherv <= linear_Gatherv", "id": "two", "source": "a talk"}]})json",
        "folder/mine.json");
    ASSERT_THAT(guidelines, SizeIs(2));
    EXPECT_EQ(guidelines[0].id, "one");
    EXPECT_EQ(guidelines[0].statement, "MPI_Gather(m) <= MPI_Gatherv(m)");
    EXPECT_EQ(guidelines[0].source, "a paper");
    EXPECT_EQ(guidelines[0].advice, "Do it.");
    EXPECT_EQ(guidelines[0].file, "folder/mine.json");
    EXPECT_EQ(guidelines[0].inequality.right.name, "MPI_Gatherv(m)");
    EXPECT_EQ(guidelines[1].id, "two");
    EXPECT_EQ(guidelines[1].source, "a talk");
    EXPECT_EQ(guidelines[1].advice, "");
    EXPECT_EQ(guidelines[1].inequality.left.name, "TUW_Gatherv(m)");
}

TEST(GuidelineFile, WhatTheLibraryTakesOfAFileIsListedThere) {
    const std::string guidelines =
        R"("guidelines": [{"id": "one", "statement": "MPI_Gather <= MPI_Gatherv"},
                          {"id": "two", "statement": "MPI_Gather <= linear_Gather"}]})";
    const auto in_library = [&](const std::string& list) {
        std::vector<bool> chosen;
        for (const Guideline& each : parse_guidelines("{" + list + guidelines, "mine.json"))
            chosen.push_back(each.in_library);
        return chosen;
    };
    EXPECT_THAT(in_library(""), ElementsAre(true, true));
    EXPECT_THAT(in_library(R"("in_library": ["two"], )"), ElementsAre(false, true));
    EXPECT_EQ(error_of(R"({"in_library": ["three"], )" + guidelines),
              "mine.json: \"in_library\" has 'three', which is no id of this file");
    EXPECT_EQ(error_of(R"({"in_library": [3], )" + guidelines),
              "mine.json: \"in_library\" has something, which is no id of this file");
    EXPECT_EQ(error_of(R"({"in_library": "two", )" + guidelines),
              "mine.json: \"in_library\" must be a list of ids");
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
        "mine.json: unknown key 'sources'; did you mean 'source'? Valid: guidelines, in_library, "
        "source, title");
    EXPECT_THAT(error_of(file(R"({"id": "a", "statement": "x", "advise": "y"})")),
                StartsWith("mine.json:2: unknown key 'advise'; did you mean 'advice'?"));
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
        return "{\n"
               "  \"title\": \"about a \\\"statement\\\"\",\n"
               "  \"guidelines\": [\n"
               "    {\n"
               "      \"id\": \"a\",\n"
               "      \"statement\": \"MPI_Gather <= MPI_Gatherv\"\n"
               "    },\n"
               "    {\n"
               "      \"id\": \"b\",\n"
               "      \"statement\": \"" +
               statement +
               "\"\n"
               "    },\n"
               "    {\"id\": \"c\", \"statement\": \"MPI_Gather <= TUW_Gatherv\"}\n"
               "  ]\n"
               "}\n";
    };
    EXPECT_EQ(error_of(with("MPI_Gather = MPI_Gatherv")),
              "mine.json:10: expected '<=' or '+' here\n"
              "    MPI_Gather = MPI_Gatherv\n"
              "               ^");
    EXPECT_EQ(error_of(with("MPI_Gather ⪯ MPI_Gather + TUW_Gatherv")),
              "mine.json:10: the path breaks here: TUW_Gatherv starts from scattered, but the data "
              "are rooted\n"
              "    MPI_Gather ⪯ MPI_Gather + TUW_Gatherv\n"
              "                              ^");
}

}  // namespace
}  // namespace mpiaudit
