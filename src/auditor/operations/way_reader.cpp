// SPDX-License-Identifier: BSD-3-Clause
// Defines WayReader of form.h.
#include "operations/form.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace mpiaudit {
namespace {

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_space(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

/// The number of columns that a reader sees: bytes of UTF-8 that begin a character.
std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

}  // namespace

NotationError::NotationError(std::string_view text, std::size_t column, const std::string& what)
    : std::invalid_argument(what + "\n    " + std::string(text) + "\n    " +
                            std::string(characters(text.substr(0, column)), ' ') + "^") {}

Way WayReader::way(std::vector<std::size_t>* columns) {
    Way way;
    skip_space();
    const std::size_t start = at_;
    const int repeats = number(1);
    std::optional<Scale> scale;  // of the terms so far; terms with (1) have none
    do {
        skip_space();
        const std::size_t term_start = at_;
        Term next = term();
        const std::string& function = next.form.operation;
        if ((function == "MPI_Wait" || function == "MPI_Waitall") && !way.terms.empty()) {
            way.terms.back().completion = function;
            continue;
        }
        if (next.argument != Argument::one) {
            if (scale && *scale != scale_)
                fail_at(term_start, "all operations of a side must have the same size");
            scale = scale_;
        }
        way.terms.push_back(std::move(next));
        if (columns != nullptr) columns->push_back(term_start);
    } while (accept("+"));
    if (scale) way.scale = *scale;
    way.scale.repeats = repeats;
    if (repeats < 1) fail_at(start, "expected a factor of at least 1 here");
    return way;
}

/// Reads NAME[WORDS](ARGUMENT), in which brackets and parentheses may be missing, and the spaces
/// behind it.
Term WayReader::term() {
    const std::size_t start = at_;
    const auto is_name = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    if (at_ == start || is_digit(text_[start]))
        fail_at(start, "expected the name of an operation here");
    if (at_ < text_.size() && text_[at_] == '[') {
        const std::size_t end = text_.find(']', at_);
        if (end == std::string_view::npos) fail("expected ']' behind this");
        at_ = end + 1;
    }
    Term term{.form = parse_form(text_.substr(start, at_ - start))};
    scale_ = {};
    term.is_bare = !accept("(");
    if (!term.is_bare) {
        argument(term);
        if (!accept(")")) fail("expected ')' here");
    }
    skip_space();
    return term;
}

void WayReader::argument(Term& term) {
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
        scale_.parts = number(0);
        if (scale_.parts < 2) fail_at(at, "expected a number of at least 2 here, as in m/2");
    }
}

int WayReader::number(int otherwise) {
    constexpr std::size_t most_digits = 6;
    const std::size_t start = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    if (at_ == start) return otherwise;
    if (at_ - start > most_digits) fail("this number is too large");
    const std::string digits(text_.substr(start, at_ - start));
    skip_space();
    return std::stoi(digits);
}

int WayReader::copy() {
    if (!accept("#")) return 1;
    const std::size_t at = at_;
    const int copy = number(0);
    if (copy < 2) fail_at(at, "expected the number of a copy, at least 2, here");
    return copy;
}

bool WayReader::accept(std::string_view token) {
    skip_space();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    skip_space();
    return true;
}

void WayReader::skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

Way parse_way(std::string_view name) {
    WayReader reader(name);
    Way way = reader.way();
    way.copy = reader.copy();
    if (!reader.is_at_end()) reader.fail("expected '+', '#' or the end here");
    return way;
}

}  // namespace mpiaudit
