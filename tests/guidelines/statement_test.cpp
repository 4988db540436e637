// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/guideline.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "error_message.h"

namespace mpiaudit {
namespace {

/// Returns operations with their arguments and columns.
std::string in_words(const Side& side) {
    std::string words;
    for (std::size_t i = 0; i < side.way.terms.size(); ++i) {
        const Term& each = side.way.terms[i];
        const char* const argument = each.argument == Argument::whole    ? "m"
                                     : each.argument == Argument::padded ? "m'"
                                                                         : "1";
        words += (words.empty() ? "" : " + ") + each.form.name() + "(" + argument + ")@" +
                 std::to_string(side.columns[i]) + each.completion;
    }
    return words;
}

TEST(Statement, SidesAreSumsOfOperationsWithTheirColumns) {
    for (const auto& [text, words] :
         {std::pair{"MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')",
                    "MPI_Gatherv(m)@0 <= MPI_Allreduce(1)@18 + MPI_Gather(m')@37"},
          {"A(m)+B(m')<=C(1)", "A(m)@0 + B(m')@5 <= C(1)@12"},
          // The column counts bytes; the sign of the papers has three.
          {"A(m) ⪯ B(m')", "A(m)@0 <= B(m')@9"},
          // A missing argument means the problem itself.
          {"A <= B + C(1)", "A(m)@0 <= B(m)@5 + C(1)@9"},
          {"  A ( m ) \t<=\nB( 1 )+C2_x(m' )  ", "A(m)@2 <= B(1)@14 + C2_x(m')@21"},
          // The form of an operation is a part of its name.
          {"A[in place](m) <= B", "A[in place](m)@0 <= B(m)@18"}}) {
        const Statement statement = parse_statement(text);
        EXPECT_EQ(statement.text, text);
        EXPECT_EQ(in_words(statement.left) + " <= " + in_words(statement.right), words);
        EXPECT_TRUE(statement.left.way.scale.is_plain() && statement.right.way.scale.is_plain());
    }
}

TEST(Statement, SideIsWrittenInOneWay) {
    const Statement statement = parse_statement("A<=B+C ( 1 )+D( m')");
    // A term without parentheses, as MPI_Barrier, stays without.
    EXPECT_EQ(statement.left.way.name(), "A");
    EXPECT_EQ(statement.right.way.name(), "B + C(1) + D(m')");
}

TEST(Statement, OtherSizes) {
    const Way next = parse_statement("A(m) <= B(1) + A(m+k)").right.way;
    EXPECT_TRUE(next.scale.is_next);
    EXPECT_EQ(next.name(), "B(1) + A(m+k)");
    const Way split = parse_statement("A(m) <= 4 A( m/4 )").right.way;
    EXPECT_EQ(split.scale.parts, 4);
    EXPECT_EQ(split.scale.repeats, 4);
    EXPECT_EQ(split.name(), "4 A(m/4)");
}

TEST(Statement, CompletionBelongsToTheOperationBefore) {
    const Way side = parse_statement("A(m) <= IA(m) + MPI_Wait + B(m)").right.way;
    ASSERT_EQ(side.terms.size(), 2U);
    EXPECT_EQ(side.terms[0].completion, "MPI_Wait");
    EXPECT_EQ(side.terms[1].completion, "");
    EXPECT_EQ(side.name(), "IA(m) + MPI_Wait + B(m)");
    EXPECT_EQ(parse_statement("A(m) <= IA[2 parts](m) + MPI_Waitall").right.way.name(),
              "IA[2 parts](m) + MPI_Waitall");
}

/// Expects the message for a statement, with the statement and a caret below the character behind
/// the ^ in `text`.
void expect_error(std::string text, const std::string& message) {
    const std::size_t at = text.find('^');
    text.erase(at, 1);
    const auto is_whole = [](char byte) { return (byte & 0xc0) != 0x80; };
    const auto characters = std::count_if(text.data(), text.data() + at, is_whole);
    EXPECT_EQ(error_message([&] { parse_statement(text); }),
              message + "\n    " + text + "\n    " +
                  std::string(static_cast<std::size_t>(characters), ' ') + "^");
}

TEST(Statement, ErrorsHaveTheirPlace) {
    const std::vector<std::pair<const char*, std::vector<const char*>>> wrong = {
        {"expected the name of an operation here",
         {"^", "   ^", "^<= A(m)", "A(m) <= ^", "A(m) <= B(m) +^", "A(m) + ^+ B(m) <= C",
          "A(m) <= B(m) + ^2C(m)", "A(m) <= ^-B(m)", "A(m) ⪯ ^⪯ B(m)"}},
        {"expected '<=' or '+' here", {"A(m)^", "A(m) ^< B(m)", "A(m) ^>= B(m)", "A(m) ^B(m)"}},
        {"expected '+' or the end here",
         {"A(m) <= B(m) ^C(m)", "A(m) <= B(m) ^<= C(m)", "A(m) <= B(m)^)"}},
        {"expected m, m', m+k, m/2 or 1 here",
         {"A(^k) <= B(m)", "A(^) <= B(m)", "A( ^2) <= B(m)", "A(m) ⪯ B(^x)"}},
        {"expected ')' here", {"A(m ^<= B(m)", "A(m'^' ) <= B(m)", "A(m) <= B(1^"}},
        {"expected k here: m+k is the next larger size", {"A(m) <= A(m+^2)"}},
        {"expected a number of at least 2 here, as in m/2", {"A(m) <= A(m/^1)", "A(m) <= A(m/^)"}},
        {"expected a factor of at least 1 here", {"A(m) <= ^0 A(m/2)"}},
        {"all operations of a side must have the same size", {"A(m) <= A(m/2) + ^B(m)"}},
        {"this number is too large", {"A(m) <= A(m/1234567^)"}},
        {"expected ']' behind this", {"A(m) <= B^[in place(m)"}},
    };
    for (const auto& [message, texts] : wrong)
        for (const char* const text : texts) expect_error(text, message);
}

}  // namespace
}  // namespace mpiaudit
