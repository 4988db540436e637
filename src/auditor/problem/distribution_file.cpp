// SPDX-License-Identifier: BSD-3-Clause
// Defines parse_distribution() of distribution.h.
#include "problem/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "problem/formula.h"
#include "text/exit_code.h"
#include "text/json_text.h"
#include "text/plain.h"

namespace mpiaudit {
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
