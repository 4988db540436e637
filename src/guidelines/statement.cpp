// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/statement.h"

#include <cctype>

namespace mpiaudit {
namespace {

constexpr std::string_view less_equal = "<=";
constexpr std::string_view preceq = "⪯";

/// Columns a reader sees: the bytes of UTF-8 that begin a character.
std::size_t characters(std::string_view text) {
    std::size_t count = 0;
    for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
    return count;
}

class Parser {
  public:
    explicit Parser(std::string_view text) : text_{text} {}

    Statement parse() {
        Statement statement{std::string(text_), {}, {}};
        statement.left = side();
        if (!accept(less_equal) && !accept(preceq)) fail("expected '<=' or '+' here");
        statement.right = side();
        if (at_ < text_.size()) fail("expected '+' or the end here");
        return statement;
    }

  private:
    std::vector<Term> side() {
        std::vector<Term> terms;
        do terms.push_back(term());
        while (accept("+"));
        return terms;
    }

    Term term() {
        skip_space();
        Term term{.name = {}, .argument = Argument::whole, .column = at_};
        const auto is_name = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
        };
        while (at_ < text_.size() && is_name(text_[at_])) term.name += text_[at_++];
        if (term.name.empty() || std::isdigit(static_cast<unsigned char>(term.name[0])))
            fail_at(term.column, "expected the name of an operation here");
        if (accept("(")) {
            if (accept("m'"))
                term.argument = Argument::padded;
            else if (accept("m"))
                term.argument = Argument::whole;
            else if (accept("1"))
                term.argument = Argument::one;
            else
                fail("expected m, m' or 1 here");
            if (!accept(")")) fail("expected ')' here");
        }
        skip_space();
        return term;
    }

    bool accept(std::string_view token) {
        skip_space();
        if (text_.substr(at_, token.size()) != token) return false;
        at_ += token.size();
        skip_space();
        return true;
    }
    void skip_space() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }
    [[noreturn]] void fail(const std::string& what) const { fail_at(at_, what); }
    [[noreturn]] void fail_at(std::size_t column, const std::string& what) const {
        throw StatementError(text_, column, what);
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

StatementError::StatementError(std::string_view text, std::size_t column, const std::string& what)
    : std::invalid_argument(what + "\n    " + std::string(text) + "\n    " +
                            std::string(characters(text.substr(0, column)), ' ') + "^") {}

Statement parse_statement(std::string_view text) {
    return Parser(text).parse();
}

std::string to_string(const std::vector<Term>& side) {
    std::string text;
    for (const Term& term : side) {
        if (!text.empty()) text += " + ";
        text += term.name;
        switch (term.argument) {
            case Argument::whole:
                text += "(m)";
                break;
            case Argument::padded:
                text += "(m')";
                break;
            case Argument::one:
                text += "(1)";
                break;
        }
    }
    return text;
}

}  // namespace mpiaudit
