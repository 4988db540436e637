// SPDX-License-Identifier: BSD-3-Clause
#include "code/tree.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace mpiaudit::c_text {
namespace {

using Kind = Expression::Kind;

/// Calls a function with all expressions of a statement, and another one with its blocks.
template <class OfExpression, class OfBlock>
struct Visitor {
    const OfExpression& one;
    const OfBlock& inner;

    void list(auto& all) const {
        for (auto& each : all) one(each);
    }
    template <class Is>
    void operator()(Is& is) const {
        using Of = std::remove_const_t<Is>;
        if constexpr (std::is_same_v<Of, Call>) list(is.arguments);
        if constexpr (std::is_same_v<Of, Declaration>) one(is.variable), list(is.value);
        if constexpr (std::is_same_v<Of, Assignment>) one(is.to), one(is.value);
        if constexpr (std::is_same_v<Of, Loop>) one(is.first), list(is.end), inner(is.body);
        if constexpr (std::is_same_v<Of, If>)
            one(is.condition), inner(is.then), inner(is.otherwise);
        if constexpr (std::is_same_v<Of, Scope>) inner(is.body);
    }
};
void visit(auto& statement, const auto& one, const auto& inner) {
    std::visit(Visitor<std::decay_t<decltype(one)>, std::decay_t<decltype(inner)>>{one, inner},
               statement.is);
}

void add_names(const Expression& expression, std::set<Name>& names) {
    if (expression.kind == Kind::name) names.insert(expression.name);
    for (const Expression& each : expression.parts) add_names(each, names);
}

void add_names(const Block& block, std::set<Name>& names) {
    for (const Statement& each : block)
        visit(
            each, [&](const Expression& part) { add_names(part, names); },
            [&](const Block& inner) { add_names(inner, names); });
}

void add_words(const Expression& expression, std::set<std::string>& words) {
    if (expression.kind == Kind::name) words.emplace(text_of(expression.name));
    if (expression.kind == Kind::call) words.insert(expression.word);
    for (const Expression& each : expression.parts) add_words(each, words);
}

void add_words(const Block& block, std::set<std::string>& words) {
    for (const Statement& each : block) {
        if (const auto* const known = std::get_if<Call>(&each.is)) words.insert(known->function);
        visit(
            each, [&](const Expression& part) { add_words(part, words); },
            [&](const Block& inner) { add_words(inner, words); });
    }
}

void rename(Expression& expression, Name name, const Expression& by) {
    if (expression == Expression(name)) {
        expression = by;
        return;
    }
    for (Expression& each : expression.parts) rename(each, name, by);
}

}  // namespace

std::string_view text_of(Name name) {
    static constexpr std::string_view all[] = {
#define MPIAUDIT_C_NAME(name) #name,
        MPIAUDIT_C_NAMES(MPIAUDIT_C_NAME)
#undef MPIAUDIT_C_NAME
    };
    return all[static_cast<std::size_t>(name)];
}

Expression constant(std::string word) {
    return {Kind::word, std::move(word), {}};
}
Expression binary(Expression a, std::string sign, Expression b) {
    return {Kind::binary, std::move(sign), {std::move(a), std::move(b)}};
}
Expression operator+(Expression a, Expression b) {
    return binary(std::move(a), "+", std::move(b));
}
Expression operator-(Expression a, Expression b) {
    return binary(std::move(a), "-", std::move(b));
}
Expression operator*(Expression a, Expression b) {
    return binary(std::move(a), "*", std::move(b));
}
Expression operator/(Expression a, Expression b) {
    return binary(std::move(a), "/", std::move(b));
}
Expression operator%(Expression a, Expression b) {
    return binary(std::move(a), "%", std::move(b));
}
Expression choice(Expression condition, Expression there, Expression elsewhere) {
    // The same condition holds inside.
    if (there.kind == Kind::choice && there.parts[0] == condition)
        there = Expression(there.parts[1]);
    return {Kind::choice, "", {std::move(condition), std::move(there), std::move(elsewhere)}};
}
Expression item(Expression list, Expression at) {
    return {Kind::index, "", {std::move(list), std::move(at)}};
}
Expression address_of(Expression value) {
    return {Kind::prefix, "&", {std::move(value)}};
}
Expression cast(const std::string& type, Expression value) {
    return {Kind::prefix, "(" + type + ")", {std::move(value)}};
}
Expression value_of(std::string function, std::vector<Expression> arguments) {
    return {Kind::call, std::move(function), std::move(arguments)};
}

bool is_memory(const Expression& address) {
    return address.kind == Kind::name && address.name >= Name::tmp && address.name <= Name::tmp5;
}

bool is_of_bytes(const Expression& address) {
    switch (address.kind) {
        case Kind::name:
            return is_memory(address);
        case Kind::prefix:
            return true;
        case Kind::binary:
            return is_of_bytes(address.parts[0]);
        case Kind::choice:
            return is_of_bytes(address.parts[1]) && is_of_bytes(address.parts[2]);
        default:
            return false;
    }
}

Statement call(std::string function, std::vector<Expression> arguments) {
    return Call{std::move(function), std::move(arguments)};
}

Statement loop_over(Name index, Expression end, Block body) {
    return Loop{index, 0, {std::move(end)}, std::move(body)};
}

void add(Block& block, Block more) {
    block.insert(block.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

Block joined(Block first, Block second) {
    add(first, std::move(second));
    return first;
}

std::set<Name> names_in(const Block& block) {
    std::set<Name> names;
    add_names(block, names);
    return names;
}

bool uses(const Expression& expression, Name name) {
    return (expression.kind == Kind::name && expression.name == name) ||
           std::ranges::any_of(expression.parts,
                               [&](const Expression& each) { return uses(each, name); });
}

std::set<std::string> words_in(const Block& block) {
    std::set<std::string> words;
    add_words(block, words);
    return words;
}

std::set<std::string> words_in(const Expression& expression) {
    std::set<std::string> words;
    add_words(expression, words);
    return words;
}

Block renamed(Block block, Name name, const Expression& by) {
    for (Statement& each : block)
        visit(
            each, [&](Expression& part) { rename(part, name, by); },
            [&](Block& inner) { inner = renamed(std::move(inner), name, by); });
    return block;
}

Block renamed(Block block, const std::string& function, const std::string& by) {
    for (Statement& each : block) {
        auto* const known = std::get_if<Call>(&each.is);
        if (known != nullptr && known->function == function) known->function = by;
        visit(
            each, [](Expression&) {},
            [&](Block& inner) { inner = renamed(std::move(inner), function, by); });
    }
    return block;
}

}  // namespace mpiaudit::c_text
