// SPDX-License-Identifier: BSD-3-Clause
#include "text/json_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>

#include "text/exit_code.h"
#include "text/fast_json.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

/// Indexed by LocatedJson::Type.
constexpr const char* types_in_words[] = {"null",     "a boolean", "a number", "a number",
                                          "a string", "an array",  "an object"};

/// Returns the keys and indices that lead from `in` to `wanted`, for error messages; nullopt if
/// `in` does not contain `wanted`.
std::optional<std::string> path_to(const json& wanted, const json& in) {
    if (&wanted == &in) return "";
    if (!in.is_structured()) return std::nullopt;
    for (const auto& [key, value] : in.items()) {
        const auto rest = path_to(wanted, value);
        if (rest) return (in.is_array() ? "[" + key + "]" : "." + key) + *rest;
    }
    return std::nullopt;
}

}  // namespace

LocatedJson LocatedJson::at(std::string_view key) const {
    const auto member = find(key);
    if (!member) {
        const std::string object = place();
        throw make_invalid_argument("{}{}{} is missing", object, object.empty() ? "" : ".", key);
    }
    return *member;
}

std::optional<LocatedJson> LocatedJson::find(std::string_view key) const {
    if (!value_->is_object()) refuse_type("an object");
    const auto member = value_->find(key);
    if (member == value_->end()) return std::nullopt;
    return LocatedJson(*member, *document_);
}

std::string LocatedJson::text() const {
    if (!value_->is_string()) refuse_type("a string");
    return plain(value_->get_ref<const std::string&>());
}

bool LocatedJson::boolean() const {
    if (!value_->is_boolean()) refuse_type("a boolean");
    return value_->get<bool>();
}

std::int64_t LocatedJson::integer(std::int64_t least, std::int64_t most) const {
    if (!value_->is_number()) refuse_type("an integer");
    if (value_->is_number_float()) refuse("must be an integer, is " + value_->dump());
    const bool is_huge = value_->is_number_unsigned() &&
                         value_->get<std::uint64_t>() > static_cast<std::uint64_t>(most);
    if (is_huge || value_->get<std::int64_t>() > most)
        refuse(fmt::format("must be at most {}, is {}", most, value_->dump()));
    if (value_->get<std::int64_t>() < least)
        refuse(fmt::format("must be at least {}, is {}", least, value_->dump()));
    return value_->get<std::int64_t>();
}

bool LocatedJson::is_integer(std::int64_t least, std::int64_t most) const {
    // The parser types every integer without a sign as unsigned.
    if (value_->is_number_unsigned())
        return most >= 0 && value_->get<std::uint64_t>() <= static_cast<std::uint64_t>(most) &&
               value_->get<std::int64_t>() >= least;
    return value_->is_number_integer() && value_->get<std::int64_t>() >= least &&
           value_->get<std::int64_t>() <= most;
}

std::uint64_t LocatedJson::unsigned_integer() const {
    if (!value_->is_number_unsigned()) return static_cast<std::uint64_t>(integer(0));
    return value_->get<std::uint64_t>();
}

double LocatedJson::number(double least) const {
    if (!value_->is_number()) refuse_type("a number");
    const auto number = value_->get<double>();
    if (!std::isfinite(number)) refuse("must be finite");
    if (number < least) refuse(fmt::format("must be at least {}, is {}", least, value_->dump()));
    return number;
}

std::vector<double> LocatedJson::numbers(double least) const {
    const std::size_t elements = size();
    std::vector<double> all;
    all.reserve(elements);
    for (const json& each : *value_) {
        const auto* number = each.get_ptr<const json::number_float_t*>();
        all.push_back(number != nullptr && *number >= least && std::isfinite(*number)
                          ? *number
                          : LocatedJson(each, *document_).number(least));
    }
    return all;
}

LocatedJson::Type LocatedJson::type() const {
    if (value_->is_null()) return Type::null;
    if (value_->is_object()) return Type::object;
    if (value_->is_array()) return Type::array;
    if (value_->is_string()) return Type::text;
    if (value_->is_boolean()) return Type::boolean;
    return value_->is_number_float() ? Type::number : Type::integer;
}

std::string LocatedJson::dump() const {
    constexpr std::size_t most_bytes = 60;
    const std::string text = value_->dump(-1, ' ', true, json::error_handler_t::replace);
    return text.size() <= most_bytes ? text : text.substr(0, most_bytes) + "...";
}

void LocatedJson::refuse(const std::string& what) const {
    const std::string where = place();
    throw std::invalid_argument(where.empty() ? what : where + ' ' + what);
}

LocatedJson LocatedJson::element(std::size_t index) const {
    return {value_->at(index), *document_};
}

std::size_t LocatedJson::size() const {
    if (!value_->is_array()) refuse_type("an array");
    return value_->size();
}

std::vector<std::string_view> LocatedJson::keys() const {
    if (!value_->is_object()) refuse_type("an object");
    std::vector<std::string_view> all;
    for (auto member = value_->begin(); member != value_->end(); ++member)
        all.emplace_back(member.key());
    return all;
}

std::size_t LocatedJson::choice(const std::string_view* words, std::size_t number) const {
    const std::string found = text();
    for (std::size_t i = 0; i < number; ++i) {
        if (words[i] == found) return i;
    }
    refuse(fmt::format("must be one of {}, is '{}'", fmt::join(std::span(words, number), ", "),
                       found));
}

void LocatedJson::refuse_type(const char* wanted) const {
    refuse(
        fmt::format("must be {}, is {}", wanted, types_in_words[static_cast<std::size_t>(type())]));
}

std::string LocatedJson::place() const {
    std::string text = path_to(*value_, *document_).value_or("");
    if (text.starts_with('.')) text.erase(0, 1);
    return text;
}

namespace {

/// Turns "[json.exception.parse_error.101] parse error at line 3, column 1: syntax error ..." into
/// "ORIGIN:3:1: syntax error ...", the form that editors and other tools jump to.
std::string located_message(std::string_view library_message, const std::string& origin) {
    constexpr std::string_view line_mark = "parse error at line ";
    constexpr std::string_view column_mark = ", column ";
    constexpr auto none = std::string_view::npos;
    // Errors without a position (a number out of range) only lose the exception's name.
    std::string_view message = library_message;
    if (const auto bracket = message.find("] "); bracket != none)
        message.remove_prefix(bracket + 2);
    const auto column = message.find(column_mark);
    const auto colon = column == none ? none : message.find(": ", column);
    if (!message.starts_with(line_mark) || colon == none)
        return fmt::format("{}: {}", origin, message);
    const auto column_start = column + column_mark.size();
    return fmt::format(
        "{}:{}:{}: {}", origin, message.substr(line_mark.size(), column - line_mark.size()),
        message.substr(column_start, colon - column_start), message.substr(colon + 2));
}

/// Returns true if the bracket at `at` that ends a list or an object follows a comma, as other
/// languages allow.
bool is_behind_comma(std::string_view text, std::size_t at) {
    if (at >= text.size() || (text[at] != ']' && text[at] != '}')) return false;
    const auto before = text.find_last_not_of(" \t\r\n", at - 1);
    return at > 0 && before != std::string_view::npos && text[before] == ',';
}

constexpr int deepest_nesting = 64;

/// Returns the place at which the text is nested deeper than `deepest_nesting`; nullopt if there is
/// none. Ignores brackets within strings.
std::optional<std::size_t> too_deep(std::string_view text) {
    int depth = 0;
    bool is_string = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char each = text[at];
        if (is_string && each == '\\')
            ++at;
        else if (each == '"')
            is_string = !is_string;
        else if (!is_string && (each == '[' || each == '{') && ++depth > deepest_nesting)
            return at;
        else if (!is_string && (each == ']' || each == '}'))
            --depth;
    }
    return std::nullopt;
}

}  // namespace

nlohmann::json parsed_json(std::string_view text) {
    if (std::optional<json> value = fast_parsed_json(text)) return *std::move(value);
    if (too_deep(text)) return nlohmann::json::value_t::discarded;
    return nlohmann::json::parse(text, nullptr, false);
}

std::string json_text(const nlohmann::json& value, int indent) {
    return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_text(const nlohmann::ordered_json& value, int indent) {
    return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

JsonDocument::JsonDocument(const std::string& text, const std::string& origin) {
    if (const auto at = too_deep(text)) {
        const auto line = std::count(text.begin(), text.begin() + static_cast<long>(*at), '\n');
        throw make_invalid_argument("{}:{}: nested more than {} deep", origin, line + 1,
                                    deepest_nesting);
    }
    try {
        value_ = std::make_shared<const nlohmann::json>(nlohmann::json::parse(text));
    } catch (const nlohmann::json::parse_error& error) {
        std::string message = located_message(error.what(), origin);
        if (error.byte > 0 && is_behind_comma(text, error.byte - 1))
            message += "; leave out the comma behind the last entry";
        throw std::invalid_argument(message);
    } catch (const nlohmann::json::exception& error) {
        throw std::invalid_argument(located_message(error.what(), origin));
    }
}

void check_keys(const LocatedJson& object, const std::vector<std::string>& valid,
                const std::string& origin) {
    for (const std::string_view key : object.keys()) {
        if (!is_among(valid, key))
            throw std::invalid_argument(origin + ": " +
                                        unknown_name("key", std::string(key), valid));
    }
}

std::string json_quoted(std::string_view text) {
    return json_text(nlohmann::json(text));
}

}  // namespace mpiaudit
