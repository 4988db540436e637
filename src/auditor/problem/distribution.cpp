// SPDX-License-Identifier: BSD-3-Clause
#include "problem/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <stdexcept>
#include <string_view>

#include "problem/formula.h"
#include "random/random_bits.h"
#include "text/exit_code.h"
#include "text/json_text.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// A double cannot represent every integer from 2^53 on.
constexpr double first_inexact_integer = 0x1p53;

void check_arguments(const Distribution& distribution, int ranks, Count block_size, int root) {
    const std::string owner = fmt::format("distribution '{}'", distribution.name);
    if (ranks < 1) throw make_invalid_argument("{}: {} ranks; at least 1 is needed", owner, ranks);
    if (root < 0 || root >= ranks)
        throw make_invalid_argument("{}: root {} is none of the {} ranks; use 0 to {}", owner, root,
                                    ranks, ranks - 1);
    if (distribution.is_explicit()) return;
    if (block_size < 1 || static_cast<double>(block_size) >= first_inexact_integer)
        throw make_invalid_argument("{}: block size b = {}; use 1 to 2^53 - 1", owner, block_size);
}

/// Returns the counts of the distribution. Throws std::invalid_argument if their number is not the
/// number of ranks or one is negative.
std::vector<Count> explicit_sizes(const Distribution& distribution, int ranks) {
    if (distribution.counts.size() != static_cast<std::size_t>(ranks))
        throw make_invalid_argument(
            "distribution '{}' has {} counts, but there are {} ranks; start {} ranks or give {} "
            "counts",
            distribution.name, distribution.counts.size(), ranks, distribution.counts.size(),
            ranks);
    const auto negative = std::find_if(distribution.counts.begin(), distribution.counts.end(),
                                       [](Count count) { return count < 0; });
    if (negative != distribution.counts.end())
        throw make_invalid_argument(
            "distribution '{}': rank {} has count {}; counts are non-negative", distribution.name,
            negative - distribution.counts.begin(), *negative);
    return distribution.counts;
}

std::vector<Count> formula_sizes(const Distribution& distribution, int ranks, Count block_size,
                                 int root, std::uint64_t seed) {
    Formula formula(fmt::format("distribution '{}'", distribution.name), distribution.formula,
                    distribution.parameters);
    std::vector<Count> sizes(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
        const double value =
            formula.evaluate({.i = static_cast<double>(rank),
                              .p = static_cast<double>(ranks),
                              .b = static_cast<double>(block_size),
                              .root = static_cast<double>(root),
                              .u = uniform_draw(seed, distribution.name, block_size, rank)});
        // This condition is negated so that NaN fails.
        if (!(value >= 0 && value < first_inexact_integer && value == std::floor(value)))
            throw make_invalid_argument(
                "distribution '{}': its formula '{}' gives rank {} at b = {} a block size of {}; "
                "it must give a whole number from 0 to 2^53 - 1 (floor and ceil round)",
                distribution.name, distribution.formula, rank, block_size, value);
        sizes[static_cast<std::size_t>(rank)] = static_cast<Count>(value);
    }
    return sizes;
}

/// Throws if the number of ranks times the largest block does not fit a Count.
void check_padded_total(const Distribution& distribution, const std::vector<Count>& sizes) {
    const Count largest = *std::max_element(sizes.begin(), sizes.end());
    if (largest > std::numeric_limits<Count>::max() / static_cast<Count>(sizes.size()))
        throw make_invalid_argument(
            "distribution '{}': {} blocks of up to {} elements are more than 2^63 - 1 elements in "
            "all; use smaller blocks",
            distribution.name, sizes.size(), largest);
}

double parse_value(const std::string& owner, std::string_view assignment, std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || !std::isfinite(value))
        throw make_invalid_argument("{}: '{}': '{}' is not a number", owner, assignment, text);
    return value;
}

}  // namespace

std::vector<Count> block_sizes(const Distribution& distribution, int ranks, Count block_size,
                               int root, std::uint64_t seed) {
    check_arguments(distribution, ranks, block_size, root);
    const std::vector<Count> sizes =
        distribution.is_explicit() ? explicit_sizes(distribution, ranks)
                                   : formula_sizes(distribution, ranks, block_size, root, seed);
    check_padded_total(distribution, sizes);
    return sizes;
}

Distribution with_parameters(Distribution distribution, const std::string& assignments) {
    const std::string owner = fmt::format("distribution '{}'", distribution.name);
    std::vector<std::string> valid;
    for (const auto& entry : distribution.parameters) valid.push_back(entry.first);
    std::set<std::string> assigned;
    std::string_view rest = assignments;
    while (true) {
        const std::string_view assignment = rest.substr(0, rest.find(':'));
        const auto equals = assignment.find('=');
        if (equals == std::string_view::npos)
            throw make_invalid_argument(
                "{}: '{}' does not set a parameter; write NAME=NUMBER, several separated by colons",
                owner, assignment);
        const std::string name(assignment.substr(0, equals));
        const auto parameter = distribution.parameters.find(name);
        if (parameter == distribution.parameters.end())
            throw std::invalid_argument(owner + ": " + unknown_name("parameter", name, valid));
        if (!assigned.insert(name).second)
            throw make_invalid_argument("{}: '{}' sets '{}' twice", owner, assignments, name);
        parameter->second = parse_value(owner, assignment, assignment.substr(equals + 1));
        if (assignment.size() == rest.size()) break;
        rest.remove_prefix(assignment.size() + 1);
    }
    distribution.name += ":" + assignments;
    return distribution;
}

double uniform_draw(std::uint64_t seed, std::string_view distribution, Count block_size, int rank) {
    std::uint64_t hash = mix_bits(seed, hash_bits(distribution));
    hash = mix_bits(hash, static_cast<std::uint64_t>(block_size));
    hash = mix_bits(hash, static_cast<std::uint64_t>(rank));
    // A double holds 53 bits exactly; more bits could round u up to 1.
    return static_cast<double>(hash >> 11) * 0x1p-53;
}

namespace {

using Type = LocatedJson::Type;

constexpr std::string_view white_space = " \t\r\n\v\f";

template <class... Values>
[[noreturn]] void reject(const std::string& where, fmt::format_string<Values...> reason,
                         Values&&... values) {
    throw make_invalid_argument("{}: {}", where,
                                fmt::format(reason, std::forward<Values>(values)...));
}

std::string text_member(const LocatedJson& object, const char* key, const std::string& origin) {
    const auto value = object.find(key);
    if (!value) return {};
    if (!value->is(Type::text)) reject(origin, "'{}' must be a string, not {}", key, value->dump());
    return value->text();
}

std::vector<Count> counts_of_list(const LocatedJson& list, const std::string& origin) {
    if (!list.is(Type::array))
        reject(origin, "'counts' must be a list of integers, not {}", list.dump());
    if (list.size() == 0) reject(origin, "the list of counts is empty; give one count per rank");
    std::vector<Count> counts;
    for (std::size_t rank = 0; rank < list.size(); ++rank) {
        const LocatedJson element = list.element(rank);
        if (!element.is_integer(0, std::numeric_limits<Count>::max()))
            reject(origin, "the count of rank {} is {}; counts are integers from 0 to 2^63 - 1",
                   counts.size(), element.dump());
        counts.push_back(element.integer(0));
    }
    return counts;
}

/// Returns the numbers by name; empty without parameters. Rejects other values.
std::map<std::string, double> parameters_of(const LocatedJson& object, const std::string& origin) {
    std::map<std::string, double> parameters;
    const auto members = object.find("parameters");
    if (!members) return parameters;
    if (!members->is(Type::object))
        reject(origin, "'parameters' must be an object of names and numbers, not {}",
               members->dump());
    members->for_each_member([&](std::string name, const LocatedJson& value) {
        if (!value.is_number())
            reject(origin, "the parameter '{}' must be a number, not {}", name, value.dump());
        parameters[std::move(name)] = value.number(std::numeric_limits<double>::lowest());
    });
    return parameters;
}

/// Throws unless a name can stand in a comma-separated option and before the colon of parameters.
void check_name(const std::string& name, const std::string& origin) {
    if (name.empty()) reject(origin, "'name' is missing; give it one of letters, digits, - and _");
    const bool is_usable = std::all_of(name.begin(), name.end(), [](char character) {
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
               (character >= '0' && character <= '9') || character == '-' || character == '_';
    });
    if (!is_usable)
        reject(origin,
               "'{}' cannot be the name of a distribution; give it a 'name' of letters, digits, - "
               "and _",
               name);
}

/// Throws std::invalid_argument unless the formula gives the blocks of every example in the file:
///     "examples": [{"b": 10, "root": 2, "seed": 1, "blocks": [0, 10, 0]}]
void check_examples(const LocatedJson& object, const Distribution& distribution,
                    const std::string& origin) {
    const auto examples = object.find("examples");
    if (!examples) return;
    for (std::size_t i = 0; i < examples->size(); ++i) {
        const LocatedJson example = examples->element(i);
        check_keys(example, {"b", "root", "seed", "blocks"}, origin);
        const auto number = [&example](const char* key) {
            const auto value = example.find(key);
            return value ? value->integer(0) : 0;
        };
        const std::vector<Count> expected = counts_of_list(example.at("blocks"), origin);
        const std::vector<Count> given = block_sizes(
            distribution, static_cast<int>(expected.size()), number("b"),
            static_cast<int>(number("root")), static_cast<std::uint64_t>(number("seed")));
        if (given != expected)
            reject(origin, "example {} has the blocks {}, but the formula gives {}", i + 1,
                   fmt::join(expected, ","), fmt::join(given, ","));
    }
}

/// Reads a distribution with either a formula or counts, and compiles the formula to find its
/// errors. Rejects other members, and
/// examples that the formula does not give.
Distribution distribution_of_object(const LocatedJson& object, const std::string& origin) {
    check_keys(object, {"name", "summary", "formula", "parameters", "source", "counts", "examples"},
               origin);
    Distribution distribution{.name = text_member(object, "name", origin),
                              .summary = text_member(object, "summary", origin),
                              .formula = text_member(object, "formula", origin),
                              .source = text_member(object, "source", origin),
                              .parameters = parameters_of(object, origin)};
    check_name(distribution.name, origin);
    if (object.contains("formula") == object.contains("counts"))
        reject(origin, "a distribution needs either a 'formula' or 'counts'");
    if (object.contains("counts")) {
        if (object.contains("parameters"))
            reject(origin, "'parameters' belong to a formula; remove them or the 'counts'");
        distribution.counts = counts_of_list(object.at("counts"), origin);
    } else {
        if (distribution.formula.find_first_not_of(white_space) == std::string::npos)
            reject(origin, "the formula is empty; write one in i, p, b, root and u");
        Formula(origin, distribution.formula, distribution.parameters);
        check_examples(object, distribution, origin);
    }
    return distribution;
}

/// Returns "ORIGIN:LINE:COLUMN" of a position in the text.
std::string line_and_column(const std::string& text, std::size_t at, const std::string& origin) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
    const auto newline = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const auto column = newline == std::string::npos ? at + 1 : at - newline;
    return fmt::format("{}:{}:{}", origin, line, column);
}

/// Reads integers between white space and commas. Rejects other words, with line and column, and an
/// empty text.
std::vector<Count> counts_of_plain_text(const std::string& text, const std::string& origin) {
    const std::string separators = std::string(white_space) + ",";
    std::vector<Count> counts;
    auto at = text.find_first_not_of(separators);
    while (at != std::string::npos) {
        const auto end = std::min(text.find_first_of(separators, at), text.size());
        const std::string token = text.substr(at, end - at);
        Count count = 0;
        const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, count);
        if (error != std::errc{} || stop != text.data() + end || token[0] == '-') {
            constexpr std::size_t shown =
                60;  // characters quoted from a file that is no list of counts
            reject(line_and_column(text, at, origin),
                   "'{}' is not a count; expected integers from 0 to 2^63 - 1, separated by white "
                   "space or commas, or JSON that starts with {{ or [",
                   token.size() > shown ? token.substr(0, shown) + "..." : token);
        }
        counts.push_back(count);
        at = text.find_first_not_of(separators, end);
    }
    if (counts.empty()) reject(origin, "there are no counts; give one count per rank");
    return counts;
}

}  // namespace

Distribution parse_distribution(const std::string& text, const std::string& origin) {
    const auto first = text.find_first_not_of(white_space);
    const char opening = first == std::string::npos ? '\0' : text[first];
    if (opening == '{') return distribution_of_object(JsonDocument(text, origin).root(), origin);
    Distribution distribution;
    distribution.name = plain_line(std::filesystem::path(origin).stem().string());
    distribution.counts = opening == '[' ? counts_of_list(JsonDocument(text, origin).root(), origin)
                                         : counts_of_plain_text(text, origin);
    return distribution;
}

}  // namespace mpiaudit
