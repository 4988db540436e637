// SPDX-License-Identifier: BSD-3-Clause
// Defines printed() of tree.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "code/tree.h"

namespace mpiaudit::c_text {
namespace {

using Kind = Expression::Kind;

/// What stands together in a line: a line may end behind each piece.
using Pieces = std::vector<std::string>;

enum Strength { as_choice, as_and, as_equal, as_less, as_sum, as_product, as_prefix, as_part };

Strength strength_of(const Expression& expression) {
    if (expression.kind == Kind::choice) return as_choice;
    if (expression.kind == Kind::prefix) return as_prefix;
    if (expression.kind != Kind::binary) return as_part;
    const std::string& sign = expression.word;
    if (sign == "&&") return as_and;
    if (sign == "==" || sign == "!=") return as_equal;
    if (sign == "+" || sign == "-") return as_sum;
    return sign == "*" || sign == "/" || sign == "%" ? as_product : as_less;
}

std::string text_in(const Expression& expression, Strength outer) {
    const Strength own = strength_of(expression);
    const std::vector<Expression>& parts = expression.parts;
    const auto part = [&](std::size_t k, Strength around) { return text_in(parts[k], around); };
    std::string text;
    switch (expression.kind) {
        case Kind::name:
            return std::string(text_of(expression.name));
        case Kind::word:
            return expression.word;
        case Kind::index:
            return fmt::format("{}[{}]", part(0, as_part), part(1, as_choice));
        case Kind::call: {
            std::vector<std::string> all;
            for (const Expression& each : parts) all.push_back(text_in(each, as_choice));
            return fmt::format("{}({})", expression.word, fmt::join(all, ", "));
        }
        case Kind::prefix:
            text = expression.word + part(0, as_prefix);
            break;
        case Kind::binary:
            text = fmt::format("{} {} {}", part(0, own), expression.word,
                               part(1, static_cast<Strength>(own + 1)));
            break;
        case Kind::choice:
            text =
                fmt::format("{} ? {} : {}", part(0, as_and), part(1, as_and), part(2, as_choice));
            break;
    }
    return own < outer ? "(" + text + ")" : text;
}

/// Adds a text behind the last piece.
Pieces operator+(Pieces pieces, const std::string& text) {
    pieces.back() += text;
    return pieces;
}

/// Returns the pieces of a value that is too long for a line: a sum, or both sides of a choice.
Pieces pieces_of(const Expression& expression) {
    constexpr std::size_t long_value = 48;
    const std::string whole = text_in(expression, as_choice);
    if (whole.size() <= long_value) return {whole};
    const std::vector<Expression>& parts = expression.parts;
    Pieces pieces;
    if (expression.kind == Kind::prefix && strength_of(parts[0]) < as_prefix) {
        pieces = pieces_of(parts[0]) + ")";
        pieces.front() = expression.word + "(" + pieces.front();
        return pieces;
    }
    if (expression.kind == Kind::binary && strength_of(expression) <= as_sum) {
        const Strength own = strength_of(expression);
        const auto stronger = static_cast<Strength>(own + 1);
        pieces =
            strength_of(parts[0]) == own ? pieces_of(parts[0]) : Pieces{text_in(parts[0], own)};
        pieces.push_back(fmt::format(" {} {}", expression.word, text_in(parts[1], stronger)));
        return pieces;
    }
    if (expression.kind == Kind::choice)
        return {text_in(parts[0], as_and), " ? " + text_in(parts[1], as_and),
                " : " + text_in(parts[2], as_choice)};
    return {whole};
}

class Printer {
  public:
    explicit Printer(Style style) : style_{style}, indent_{style.indent} {}

    void print(const Block& block) {
        for (const Statement& each : block)
            std::visit([&](const auto& statement) { print(statement); }, each.is);
    }
    std::string take() {
        if (!text_.empty()) text_.pop_back();
        return std::move(text_);
    }

  private:
    void print(const Call& call) {
        Pieces pieces{call.function + "("};
        for (std::size_t k = 0; k < call.arguments.size(); ++k) {
            Pieces argument = pieces_of(call.arguments[k]);
            if (k == 0)
                pieces = pieces + argument.front();
            else
                pieces.push_back(" " + argument.front());
            pieces.insert(pieces.end(), argument.begin() + 1, argument.end());
            pieces = std::move(pieces) + (k + 1 < call.arguments.size() ? "," : "");
        }
        line(std::move(pieces) + ");");
    }
    void print(const Declaration& declared) {
        std::string text(declared.type);
        if (!text.ends_with('*')) text += ' ';
        text += text_in(declared.variable, as_choice);
        if (declared.value.empty()) return line({text + ";"});
        assign(text + " =", declared.value.front());
    }
    void print(const Assignment& assignment) {
        assign(fmt::format("{} {}", text_in(assignment.to, as_choice), assignment.sign),
               assignment.value);
    }
    void assign(const std::string& begin, const Expression& value) {
        Pieces pieces{begin};
        for (const std::string& each : pieces_of(value))
            pieces.push_back((pieces.size() == 1 ? " " : "") + each);
        line(std::move(pieces) + ";");
    }
    void print(const Loop& loop) {
        const std::string_view name = text_of(loop.index);
        const std::string first = text_in(loop.first, as_choice);
        open(loop.end.empty() ? fmt::format("for (int {0} = {1}; {0} >= 0; --{0}) {{", name, first)
                              : fmt::format("for (int {0} = {1}; {0} < {2}; ++{0}) {{", name, first,
                                            text_in(loop.end.front(), as_sum)));
        close(loop.body);
    }
    void print(const If& statement) { print_if(statement, ""); }
    /// \param before what stands before the condition: "} else "
    void print_if(const If& statement, const std::string& before) {
        open(fmt::format("{}if ({}) {{", before, text_in(statement.condition, as_choice)));
        inside(statement.then);
        if (statement.otherwise.empty()) return line({"}"});
        const auto* const chained = statement.otherwise.size() == 1
                                        ? std::get_if<If>(&statement.otherwise.front().is)
                                        : nullptr;
        if (chained != nullptr) return print_if(*chained, "} else ");
        open("} else {");
        close(statement.otherwise);
    }
    void print(const Scope& scope) {
        open("{");
        close(scope.body);
    }
    void print(const Remark& remark) {
        Pieces pieces;
        for (const char c : remark.text) {
            if (pieces.empty() || c == ' ') pieces.emplace_back();
            pieces.back() += c;
        }
        if (pieces.empty()) return;
        pieces.front() = "/* " + pieces.front();
        line(std::move(pieces) + " */");
    }

    void open(const std::string& text) { line({text}); }
    void inside(const Block& body) {
        indent_ += step;
        print(body);
        indent_ -= step;
    }
    void close(const Block& body) {
        inside(body);
        line({"}"});
    }
    void line(const Pieces& pieces) {
        std::string now(indent_, ' ');
        bool is_begun = false;
        for (const std::string& each : pieces) {
            if (is_begun && now.size() + each.size() > style_.width) {
                text_ += now + '\n';
                now = std::string(indent_ + step, ' ');
                is_begun = false;
            }
            now += !is_begun && each.front() == ' ' ? each.substr(1) : each;
            is_begun = true;
        }
        text_ += now + '\n';
    }

    static constexpr std::size_t step = 4;
    Style style_;
    std::size_t indent_;
    std::string text_;
};

}  // namespace

std::string printed(const Block& block, Style style) {
    Printer printer(style);
    printer.print(block);
    return printer.take();
}

std::string printed(const Expression& expression) {
    return text_in(expression, as_choice);
}

}  // namespace mpiaudit::c_text
