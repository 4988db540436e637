// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/guideline.h"

#include <fmt/format.h>

#include <cctype>
#include <optional>

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
    Side side() {
        Side side;
        skip_space();
        const std::size_t start = at_;
        side.scale.repeats = number().value_or(1);
        std::optional<Scale> scale;  // of the terms so far; those with (1) have none
        do {
            const std::size_t term_start = at_;
            Term next = term();
            if ((next.name == "MPI_Wait" || next.name == "MPI_Waitall") && !side.terms.empty()) {
                side.terms.back().completion = next.name;
                continue;
            }
            if (scale && next.argument != Argument::one && *scale != scale_)
                fail_at(term_start, "all operations of a side must have the same size");
            if (next.argument != Argument::one) scale = scale_;
            side.terms.push_back(std::move(next));
        } while (accept("+"));
        const int repeats = side.scale.repeats;
        if (scale) side.scale = *scale;
        side.scale.repeats = repeats;
        if (repeats < 1) fail_at(start, "expected a factor of at least 1 here");
        return side;
    }

    Term term() {
        skip_space();
        Term term;
        term.column = at_;
        const auto is_name = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
        };
        while (at_ < text_.size() && is_name(text_[at_])) term.name += text_[at_++];
        if (term.name.empty() || std::isdigit(static_cast<unsigned char>(term.name[0])))
            fail_at(term.column, "expected the name of an operation here");
        // The form of an operation is a part of its name: MPI_Gather[in place].
        if (at_ < text_.size() && text_[at_] == '[') {
            const std::size_t end = text_.find(']', at_);
            if (end == std::string_view::npos) fail("expected ']' behind this");
            term.name += text_.substr(at_, end + 1 - at_);
            at_ = end + 1;
        }
        scale_ = {};
        term.is_bare = !accept("(");
        if (!term.is_bare) {
            argument(term);
            if (!accept(")")) fail("expected ')' here");
        }
        skip_space();
        return term;
    }

    void argument(Term& term) {
        if (accept("1")) {
            term.argument = Argument::one;
            return;
        }
        if (!accept("m")) fail("expected m, m', m+k, m/2 or 1 here");
        if (accept("'")) {
            term.argument = Argument::padded;
        } else if (accept("+")) {
            if (!accept("k")) fail("expected k here: m+k is the next larger size");
            scale_.is_next = true;
        } else if (accept("/")) {
            const std::size_t at = at_;
            scale_.parts = number().value_or(0);
            if (scale_.parts < 2) fail_at(at, "expected a number of at least 2 here, as in m/2");
        }
    }

    std::optional<int> number() {
        constexpr int most_digits = 6;
        std::string digits;
        while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])))
            digits += text_[at_++];
        if (digits.empty()) return std::nullopt;
        if (digits.size() > most_digits) fail("this number is too large");
        skip_space();
        return std::stoi(digits);
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
    Scale scale_;  ///< of the term read last
};

}  // namespace

StatementError::StatementError(std::string_view text, std::size_t column, const std::string& what)
    : std::invalid_argument(what + "\n    " + std::string(text) + "\n    " +
                            std::string(characters(text.substr(0, column)), ' ') + "^") {}

Statement parse_statement(std::string_view text) {
    return Parser(text).parse();
}

namespace {

/// What stands in the parentheses of a term.
std::string argument_text(const Term& term, const Scale& scale) {
    if (term.argument == Argument::one) return "1";
    if (term.argument == Argument::padded) return "m'";
    if (scale.is_next) return "m+k";
    return scale.parts > 1 ? fmt::format("m/{}", scale.parts) : "m";
}

}  // namespace

std::string to_string(const Side& side) {
    std::string text;
    for (const Term& term : side.terms) {
        if (!text.empty()) text += " + ";
        text += term.name;
        if (!term.is_bare) text += "(" + argument_text(term, side.scale) + ")";
        if (!term.completion.empty()) text += " + " + term.completion;
    }
    return side.scale.repeats > 1 ? fmt::format("{} {}", side.scale.repeats, text) : text;
}

}  // namespace mpiaudit
