// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/guideline.h"

#include <gmock/gmock.h>

#include "error_message.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

constexpr Argument whole = Argument::whole;
constexpr Argument padded = Argument::padded;
constexpr Argument one = Argument::one;

MATCHER_P3(IsTerm, name, argument, column, "") {
    return arg.name == name && arg.argument == argument &&
           arg.column == static_cast<std::size_t>(column) && arg.completion.empty();
}

TEST(Statement, SidesAreSumsOfOperationsWithTheirColumns) {
    const std::string text = "MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')";
    const Statement statement = parse_statement(text);
    EXPECT_EQ(statement.text, text);
    EXPECT_THAT(statement.left.terms, ElementsAre(IsTerm("MPI_Gatherv", whole, 0)));
    EXPECT_THAT(statement.right.terms,
                ElementsAre(IsTerm("MPI_Allreduce", one, 18), IsTerm("MPI_Gather", padded, 37)));
}

TEST(Statement, LeftSideMayBeASum) {
    EXPECT_THAT(parse_statement("A(m)+B(m')<=C(1)").left.terms,
                ElementsAre(IsTerm("A", whole, 0), IsTerm("B", padded, 5)));
}

TEST(Statement, SignOfThePapers) {
    const Statement statement = parse_statement("A(m) ⪯ B(m')");
    EXPECT_THAT(statement.left.terms, ElementsAre(IsTerm("A", whole, 0)));
    // The column counts bytes; the sign has three.
    EXPECT_THAT(statement.right.terms, ElementsAre(IsTerm("B", padded, 9)));
}

TEST(Statement, MissingArgumentMeansTheProblemItself) {
    const Statement statement = parse_statement("A <= B + C(1)");
    EXPECT_THAT(statement.left.terms, ElementsAre(IsTerm("A", whole, 0)));
    EXPECT_THAT(statement.right.terms, ElementsAre(IsTerm("B", whole, 5), IsTerm("C", one, 9)));
}

TEST(Statement, WhiteSpaceIsFree) {
    const Statement statement = parse_statement("  A ( m ) \t<=\nB( 1 )+C2_x(m' )  ");
    EXPECT_THAT(statement.left.terms, ElementsAre(IsTerm("A", whole, 2)));
    EXPECT_THAT(statement.right.terms,
                ElementsAre(IsTerm("B", one, 14), IsTerm("C2_x", padded, 21)));
}

TEST(Statement, SideIsWrittenInOneWay) {
    const Statement statement = parse_statement("A<=B+C ( 1 )+D( m')");
    // Without parentheses, as MPI_Barrier is written, stays without.
    EXPECT_EQ(to_string(statement.left), "A");
    EXPECT_EQ(to_string(statement.right), "B + C(1) + D(m')");
}

TEST(Statement, PlainSidesAreAboutTheProblemItselfOnce) {
    const Statement statement = parse_statement("A(m) <= B(1) + C(m')");
    EXPECT_TRUE(statement.left.scale.is_plain());
    EXPECT_TRUE(statement.right.scale.is_plain());
}

TEST(Statement, OtherSizes) {
    const Side next = parse_statement("A(m) <= B(1) + A(m+k)").right;
    EXPECT_TRUE(next.scale.is_next);
    EXPECT_EQ(to_string(next), "B(1) + A(m+k)");
    const Side split = parse_statement("A(m) <= 4 A( m/4 )").right;
    EXPECT_EQ(split.scale.parts, 4);
    EXPECT_EQ(split.scale.repeats, 4);
    EXPECT_EQ(to_string(split), "4 A(m/4)");
}

TEST(Statement, CompletionBelongsToTheOperationBefore) {
    const Side side = parse_statement("A(m) <= IA(m) + MPI_Wait + B(m)").right;
    ASSERT_EQ(side.terms.size(), 2U);
    EXPECT_EQ(side.terms[0].completion, "MPI_Wait");
    EXPECT_EQ(side.terms[1].completion, "");
    EXPECT_EQ(to_string(side), "IA(m) + MPI_Wait + B(m)");
    EXPECT_EQ(to_string(parse_statement("A(m) <= IA[2 parts](m) + MPI_Waitall").right),
              "IA[2 parts](m) + MPI_Waitall");
}

TEST(Statement, FormOfAnOperationIsAPartOfItsName) {
    EXPECT_THAT(parse_statement("A[in place](m) <= B").left.terms,
                ElementsAre(IsTerm("A[in place]", whole, 0)));
}

/// The first line of the message for an ill-formed statement. Its second line has to repeat the
/// text and its third to have nothing but a caret, under `character` (counted from 0).
std::string error_of(const std::string& text, std::size_t character) {
    const std::string message = error_message([&] { parse_statement(text); });
    const std::string place = "\n    " + text + "\n    " + std::string(character, ' ') + "^";
    if (!message.ends_with(place))
        return "not at character " + std::to_string(character) + ": " + message;
    return message.substr(0, message.size() - place.size());
}

TEST(StatementError, MissingName) {
    const std::string expected = "expected the name of an operation here";
    EXPECT_EQ(error_of("", 0), expected);
    EXPECT_EQ(error_of("   ", 3), expected);
    EXPECT_EQ(error_of("<= A(m)", 0), expected);
    EXPECT_EQ(error_of("A(m) <= ", 8), expected);
    EXPECT_EQ(error_of("A(m) <= B(m) +", 14), expected);
    EXPECT_EQ(error_of("A(m) + + B(m) <= C", 7), expected);
    EXPECT_EQ(error_of("A(m) <= B(m) + 2C(m)", 15), expected);
    EXPECT_EQ(error_of("A(m) <= -B(m)", 8), expected);
}

TEST(StatementError, MissingSign) {
    const std::string expected = "expected '<=' or '+' here";
    EXPECT_EQ(error_of("A(m)", 4), expected);
    EXPECT_EQ(error_of("A(m) < B(m)", 5), expected);
    EXPECT_EQ(error_of("A(m) >= B(m)", 5), expected);
    EXPECT_EQ(error_of("A(m) B(m)", 5), expected);
}

TEST(StatementError, SomethingBehindTheEnd) {
    const std::string expected = "expected '+' or the end here";
    EXPECT_EQ(error_of("A(m) <= B(m) C(m)", 13), expected);
    EXPECT_EQ(error_of("A(m) <= B(m) <= C(m)", 13), expected);
    EXPECT_EQ(error_of("A(m) <= B(m))", 12), expected);
}

TEST(StatementError, UnknownArgument) {
    EXPECT_THAT(error_of("A(k) <= B(m)", 2), StartsWith("expected m"));
    EXPECT_THAT(error_of("A() <= B(m)", 2), StartsWith("expected m"));
    EXPECT_THAT(error_of("A( 2) <= B(m)", 3), StartsWith("expected m"));
}

TEST(StatementError, OpenParenthesis) {
    const std::string expected = "expected ')' here";
    EXPECT_EQ(error_of("A(m <= B(m)", 4), expected);
    EXPECT_EQ(error_of("A(m'' ) <= B(m)", 4), expected);
    EXPECT_EQ(error_of("A(m) <= B(1", 11), expected);
}

TEST(StatementError, OtherSizes) {
    EXPECT_THAT(error_of("A(m) <= A(m+2)", 12), StartsWith("expected k here"));
    EXPECT_THAT(error_of("A(m) <= A(m/1)", 12), StartsWith("expected a number of at least 2 here"));
    EXPECT_THAT(error_of("A(m) <= A(m/)", 12), StartsWith("expected a number of at least 2 here"));
    EXPECT_EQ(error_of("A(m) <= 0 A(m/2)", 8), "expected a factor of at least 1 here");
    EXPECT_EQ(error_of("A(m) <= A(m/2) + B(m)", 17),
              "all operations of a side must have the same size");
    EXPECT_EQ(error_of("A(m) <= A(m/1234567)", 19), "this number is too large");
}

TEST(StatementError, OpenForm) {
    EXPECT_EQ(error_of("A(m) <= B[in place(m)", 9), "expected ']' behind this");
}

TEST(StatementError, CaretStandsUnderTheCharacterBehindUtf8) {
    EXPECT_THAT(error_of("A(m) ⪯ B(x)", 9), StartsWith("expected m"));
    EXPECT_EQ(error_of("A(m) ⪯ ⪯ B(m)", 7), "expected the name of an operation here");
}

}  // namespace
}  // namespace mpiaudit
