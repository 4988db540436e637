// SPDX-License-Identifier: BSD-3-Clause
#include "text/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "text/exit_code.h"
#include "text/nearest_name.h"

namespace mpiaudit {
namespace {

/// From "[json.exception.parse_error.101] parse error at line 3, column 1: syntax error ..." to
/// "ORIGIN:3:1: syntax error ...": the form that editors and other tools jump to.
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

/// Whether what ends a list or an object there follows a comma, as other languages allow it.
bool is_behind_comma(std::string_view text, std::size_t at) {
    if (at >= text.size() || (text[at] != ']' && text[at] != '}')) return false;
    const auto before = text.find_last_not_of(" \t\r\n", at - 1);
    return at > 0 && before != std::string_view::npos && text[before] == ',';
}

constexpr int deepest_nesting = 64;

/// Where the text is nested deeper than that; brackets within strings do not count.
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
        throw wrong("{}:{}: nested more than {} deep", origin, line + 1, deepest_nesting);
    }
    try {
        value_ = std::make_unique<nlohmann::json>(nlohmann::json::parse(text));
    } catch (const nlohmann::json::parse_error& error) {
        std::string message = located_message(error.what(), origin);
        if (error.byte > 0 && is_behind_comma(text, error.byte - 1))
            message += "; leave out the comma behind the last entry";
        throw std::invalid_argument(message);
    } catch (const nlohmann::json::exception& error) {
        throw std::invalid_argument(located_message(error.what(), origin));
    }
}
JsonDocument::~JsonDocument() = default;

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
