// SPDX-License-Identifier: BSD-3-Clause
#include "problem/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

bool starts_a_name(char character) {
    return character == '_' || (character >= 'a' && character <= 'z') ||
           (character >= 'A' && character <= 'Z');
}

bool is_a_name(const std::string& text) {
    return !text.empty() && starts_a_name(text[0]) &&
           std::all_of(text.begin(), text.end(), [](char character) {
               return starts_a_name(character) || (character >= '0' && character <= '9');
           });
}

/// Returns the position of an assignment in the formula, or npos. An assignment would make muParser
/// overwrite the variable for all later ranks.
std::size_t position_of_assignment(const std::string& formula) {
    for (auto at = formula.find('='); at != std::string::npos; at = formula.find('=', at + 1)) {
        const bool ends_comparison =
            at > 0 && std::string("<>!").find(formula[at - 1]) != std::string::npos;
        if (ends_comparison) continue;
        if (at + 1 == formula.size() || formula[at + 1] != '=') return at;
        ++at;
    }
    return std::string::npos;
}

}  // namespace

Formula::Formula(const std::string& owner, const std::string& text,
                 const std::map<std::string, double>& parameters)
    : owner_(owner), text_(text), parameters_(parameters) {
    // The text becomes one line, so that a position is a column.
    std::replace_if(
        text_.begin(), text_.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; },
        ' ');
    define_functions();
    define_names();
    compile();
}

double Formula::evaluate(const FormulaVariables& variables) {
    variables_ = variables;
    return parser_.Eval();
}

void Formula::define_functions() {
    parser_.DefineFun(
        "floor", +[](double value) { return std::floor(value); });
    parser_.DefineFun(
        "ceil", +[](double value) { return std::ceil(value); });
    parser_.DefineFun(
        "mod", +[](double dividend, double divisor) {
            return dividend - divisor * std::floor(dividend / divisor);
        });
}

/// Binds the variables i, p, b, root and u and the parameters. Throws std::invalid_argument if a
/// parameter has no valid name or the name of something else.
void Formula::define_names() {
    parser_.DefineVar("i", &variables_.i);
    parser_.DefineVar("p", &variables_.p);
    parser_.DefineVar("b", &variables_.b);
    parser_.DefineVar("root", &variables_.root);
    parser_.DefineVar("u", &variables_.u);
    const std::vector<std::string> reserved = known_names();
    for (auto& [name, value] : parameters_) {
        if (!is_a_name(name))
            throw make_invalid_argument(
                "{}: '{}' cannot name a parameter; use letters, digits and _", owner_, name);
        if (std::find(reserved.begin(), reserved.end(), name) != reserved.end())
            throw make_invalid_argument(
                "{}: the parameter '{}' has the name of a variable, constant or "
                "function of formulas; rename it",
                owner_, name);
        try {
            parser_.DefineVar(name, &value);
        } catch (const mu::Parser::exception_type& error) {
            throw make_invalid_argument("{}: the parameter '{}' cannot be used: {}", owner_, name,
                                        error.GetMsg());
        }
    }
}

/// Parses the formula and evaluates it once. Rejects assignments, unknown names and lists of
/// values.
void Formula::compile() {
    if (const auto at = position_of_assignment(text_); at != std::string::npos)
        reject(static_cast<int>(at), "a formula cannot assign; compare with ==");
    try {
        parser_.SetExpr(text_);
        parser_.Eval();  // muParser compiles at the first evaluation
    } catch (const mu::Parser::exception_type& error) {
        const std::string& token = error.GetToken();
        if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN && is_a_name(token))
            reject(error.GetPos(), unknown_name("name", token, known_names()));
        reject(error.GetPos(), error.GetMsg());
    }
    if (parser_.GetNumResults() != 1)
        reject(-1, fmt::format("{} values separated by commas; one is needed",
                               parser_.GetNumResults()));
}

std::vector<std::string> Formula::known_names() const {
    std::vector<std::string> names;
    for (const auto& entry : parser_.GetVar()) names.push_back(entry.first);
    for (const auto& entry : parser_.GetConst()) names.push_back(entry.first);
    for (const auto& entry : parser_.GetFunDef()) names.push_back(entry.first);
    return names;
}

void Formula::reject(int position, const std::string& reason) const {
    std::string message = fmt::format("{}: error in formula: {}\n    {}", owner_, reason, text_);
    if (position >= 0) {
        // muParser may report the end of the formula as one position past the end.
        const auto column = std::min(static_cast<std::size_t>(position), text_.size());
        message += "\n    " + std::string(column, ' ') + "^";
    }
    throw std::invalid_argument(message);
}

}  // namespace mpiaudit
