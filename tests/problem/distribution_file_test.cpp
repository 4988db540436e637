// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "error_message.h"
#include "problem/distribution.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;

std::string error_in(const std::string& text) {
    return error_message([&] { parse_distribution(text, "mine.json"); });
}

std::string formula_error(const std::string& formula) {
    return error_in(R"({"name": "x", "formula": ")" + formula + R"("})");
}

TEST(DistributionFile, ObjectWithFormula) {
    const Distribution mine =
        parse_distribution(R"({"name": "steps-2", "summary": "Stairs.", "source": "me",
                               "formula": "k*i", "parameters": {"k": 2.5}})",
                           "folder/other.json");
    EXPECT_EQ(mine.name, "steps-2");
    EXPECT_EQ(mine.summary, "Stairs.");
    EXPECT_EQ(mine.source, "me");
    EXPECT_EQ(mine.formula, "k*i");
    EXPECT_THAT(mine.parameters, ElementsAre(Pair("k", 2.5)));
    EXPECT_FALSE(mine.is_explicit());
}

TEST(DistributionFile, ObjectWithCounts) {
    const Distribution mine =
        parse_distribution(R"({"name": "matrix", "counts": [3, 0, 9223372036854775807]})", "m");
    EXPECT_EQ(mine.name, "matrix");
    EXPECT_TRUE(mine.is_explicit());
    EXPECT_THAT(mine.counts, ElementsAre(3, 0, 9223372036854775807));
}

TEST(DistributionFile, BareListAndPlainTextAreNamedAfterTheFile) {
    const Distribution list = parse_distribution(" [1, 2,\n3]\n", "folder/rows.json");
    EXPECT_EQ(list.name, "rows");
    EXPECT_THAT(list.counts, ElementsAre(1, 2, 3));
    const Distribution text = parse_distribution("1 2\r\n\t3,4, 5\n", "rows.of.txt");
    EXPECT_EQ(text.name, "rows.of");
    EXPECT_THAT(text.counts, ElementsAre(1, 2, 3, 4, 5));
}

TEST(DistributionFile, MalformedJsonIsLocated) {
    EXPECT_THAT(error_in("{\n \"name\": \"x\",\n}"),
                AllOf(StartsWith("mine.json:3:1: syntax error"), HasSubstr("unexpected '}'"),
                      EndsWith("; leave out the comma behind the last entry")));
    EXPECT_THAT(error_in("[1, 2, ]"), EndsWith("; leave out the comma behind the last entry"));
    EXPECT_THAT(error_in("[1, 2"), StartsWith("mine.json:1:6: syntax error"));
    EXPECT_THAT(error_in("[1] 2"), StartsWith("mine.json:1:5: syntax error"));
    EXPECT_EQ(error_in("[1e999]"), "mine.json: number overflow parsing '1e999'");
}

TEST(DistributionFile, MalformedPlainTextIsLocated) {
    EXPECT_EQ(error_in("1 2\n3, four"),
              "mine.json:2:4: 'four' is not a count; expected integers from 0 to 2^63 - 1, "
              "separated by white space or commas, or JSON that starts with { or [");
    EXPECT_THAT(error_in("-1 2"), StartsWith("mine.json:1:1: '-1' is not a count"));
    EXPECT_THAT(error_in("1\n2\n 3 4x"), StartsWith("mine.json:3:4: '4x' is not a count"));
    EXPECT_THAT(error_in("\n1.5"), StartsWith("mine.json:2:1: '1.5' is not a count"));
    EXPECT_THAT(error_in("9223372036854775808"), HasSubstr("is not a count"));
    EXPECT_THAT(error_in("-0"), HasSubstr("'-0' is not a count"));
    for (const char* text : {"", " \n", ",,"}) {
        EXPECT_EQ(error_in(text), "mine.json: there are no counts; give one count per rank");
    }
}

TEST(DistributionFile, CountsAreNonNegativeIntegers) {
    for (const char* count : {"-1", "1.5", "2.0", "\"3\"", "null", "[1]", "9223372036854775808"}) {
        const std::string list = "[7, " + std::string(count) + "]";
        EXPECT_THAT(error_in(list), StartsWith("mine.json: the count of rank 1 is ")) << count;
        EXPECT_THAT(error_in(R"({"name": "x", "counts": )" + list + "}"),
                    EndsWith("; counts are integers from 0 to 2^63 - 1"))
            << count;
    }
    EXPECT_THAT(error_in("[]"), HasSubstr("the list of counts is empty; give one count per rank"));
    EXPECT_EQ(error_in(R"({"name": "x", "counts": 5})"),
              "mine.json: 'counts' must be a list of integers, not 5");
}

TEST(DistributionFile, KeysAreKnownAndOfTheRightType) {
    EXPECT_EQ(error_in(R"({"name": "x", "formul": "b"})"),
              "mine.json: unknown key 'formul'; did you mean 'formula'? "
              "Valid: counts, examples, formula, name, parameters, source, summary");
    for (const std::string key : {"name", "summary", "formula", "source"}) {
        EXPECT_EQ(error_in("{\"" + key + "\": 5}"),
                  "mine.json: '" + key + "' must be a string, not 5");
    }
    EXPECT_EQ(error_in(R"({"name": "x", "formula": "b", "parameters": [1]})"),
              "mine.json: 'parameters' must be an object of names and numbers, not [1]");
    EXPECT_EQ(error_in(R"({"name": "x", "formula": "b", "parameters": {"k": "5"}})"),
              "mine.json: the parameter 'k' must be a number, not \"5\"");
}

TEST(DistributionFile, ExamplesHoldOrAreNamed) {
    const auto error_with = [](const std::string& examples) {
        return error_in(R"({"name": "x", "formula": "i == root ? b : 1", "examples": )" + examples +
                        "}");
    };
    EXPECT_EQ(error_with(R"([{"b": 5, "root": 1, "blocks": [1, 5, 1]}, {"b": 2, "blocks": [2]}])"),
              "");
    EXPECT_EQ(error_with(R"([{"b": 5, "blocks": [5]}, {"b": 5, "blocks": [1, 5]}])"),
              "mine.json: example 2 has the blocks 1,5, but the formula gives 5,1");
    EXPECT_THAT(error_with(R"([{"b": 5, "block": [5]}])"), HasSubstr("did you mean 'blocks'?"));
    EXPECT_THAT(error_with(R"([{"b": -1, "blocks": [5]}])"), HasSubstr("b"));
    EXPECT_THAT(error_with("5"), HasSubstr("examples"));
}

TEST(DistributionFile, WhatIsNoFileOfCountsIsNotRepeatedAsAWhole) {
    EXPECT_THAT(error_in(std::string(100'000, 'x')),
                StartsWith("mine.json:1:1: '" + std::string(60, 'x') + "...' is not a count"));
}

TEST(DistributionFile, NamesFitIntoOptions) {
    for (const char* name : {"a b", "a,b", "a:b", "../a"}) {
        EXPECT_EQ(error_in(R"({"formula": "b", "name": ")" + std::string(name) + "\"}"),
                  "mine.json: '" + std::string(name) +
                      "' cannot be the name of a distribution; give it a 'name' of letters, "
                      "digits, - and _");
    }
    for (const char* file : {R"({"formula": "b"})", R"({"formula": "b", "name": ""})"}) {
        EXPECT_EQ(error_in(file),
                  "mine.json: 'name' is missing; give it one of letters, digits, - and _");
    }
}

TEST(DistributionFile, EitherFormulaOrCounts) {
    const std::string either = "mine.json: a distribution needs either a 'formula' or 'counts'";
    EXPECT_EQ(error_in(R"({"name": "x"})"), either);
    EXPECT_EQ(error_in(R"({"name": "x", "formula": "b", "counts": [1]})"), either);
    EXPECT_THAT(error_in(R"({"name": "x", "counts": [1], "parameters": {}})"),
                HasSubstr("'parameters' belong to a formula"));
    EXPECT_THAT(formula_error(" "), HasSubstr("the formula is empty"));
}

TEST(FormulaErrors, ShowTheFormulaAndThePlace) {
    EXPECT_EQ(formula_error("b * * 2"),
              "mine.json: error in formula: Unexpected operator \"*\" found at position 4\n"
              "    b * * 2\n"
              "        ^");
    EXPECT_THAT(formula_error("b*(i + 1"),
                AllOf(HasSubstr("Missing parenthesis"), EndsWith("\n    b*(i + 1\n            ^")));
    EXPECT_THAT(formula_error("b +"), EndsWith("\n    b +\n       ^"));
    EXPECT_THAT(formula_error(R"(b\n+ 2 2)"), EndsWith("\n    b + 2 2\n          ^"));
    EXPECT_THAT(formula_error("i == 0 ? b"), HasSubstr("missing an else clause\n    i == 0 ? b"));
}

TEST(FormulaErrors, UnknownNamesListTheKnown) {
    const std::string message =
        error_in(R"({"name": "x", "formula": "floor(rho)*rot", "parameters": {"rho": 5}})");
    EXPECT_THAT(message, AllOf(HasSubstr("unknown name 'rot'; did you mean 'root'?"),
                               EndsWith("\n    floor(rho)*rot\n               ^")));
    for (const char* name :
         {" i,", " p,", " b,", " root,", " u\n", " rho,", " floor,", " ceil,", " mod,", " max,"}) {
        EXPECT_THAT(message, HasSubstr(name));
    }
}

TEST(FormulaErrors, ValuesAreOneAndAssignmentsNone) {
    EXPECT_THAT(formula_error("b, i"), HasSubstr("2 values separated by commas; one is needed"));
    EXPECT_EQ(formula_error("i <= 1 ? i = 0 : b"),
              "mine.json: error in formula: a formula cannot assign; compare with ==\n"
              "    i <= 1 ? i = 0 : b\n"
              "               ^");
    EXPECT_THAT(formula_error("b ="), HasSubstr("cannot assign"));
    EXPECT_THAT(formula_error("i == 1 && b != 2 && p >= 3"), IsEmpty());
}

TEST(FormulaErrors, ParametersHaveNamesOfTheirOwn) {
    for (const std::string name : {"i", "p", "b", "root", "u", "floor", "mod", "max", "_pi"}) {
        EXPECT_EQ(
            error_in(R"({"name": "x", "formula": "b", "parameters": {")" + name + R"(": 5}})"),
            "mine.json: the parameter '" + name +
                "' has the name of a variable, constant or function of formulas; rename it");
    }
    EXPECT_THAT(error_in(R"({"name": "x", "formula": "b", "parameters": {")" +
                         std::string(101, 'a') + R"(": 5}})"),
                HasSubstr("a' cannot be used: "));
    for (const std::string name : {"", "2x", "a-b", "a b"}) {
        EXPECT_EQ(
            error_in(R"({"name": "x", "formula": "b", "parameters": {")" + name + R"(": 5}})"),
            "mine.json: '" + name + "' cannot name a parameter; use letters, digits and _");
    }
}

}  // namespace
}  // namespace mpiaudit
