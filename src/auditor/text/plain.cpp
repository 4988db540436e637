// SPDX-License-Identifier: BSD-3-Clause
#include "text/plain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace mpiaudit {
namespace {

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;  ///< 0 if the text is not UTF-8
};

std::uint8_t byte_at(std::string_view text, std::size_t at) {
    return static_cast<std::uint8_t>(text[at]);
}

/// Returns the first character of a text that is not empty.
Character first_character(std::string_view text) {
    const std::uint8_t first = byte_at(text, 0);
    if (first < 0x80) return {first, 1};
    const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
    std::uint32_t code = first & (0xffU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        const std::uint8_t next = byte_at(text, i);
        if ((next & 0xc0U) != 0x80) return {};
        code = code << 6U | (next & 0x3fU);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < least[bytes] || code > 0x10ffff || is_surrogate) return {};
    return {code, bytes};
}

/// Returns true for control characters and for the separators and marks of Unicode that reorder or
/// hide text, as analysis/plain.py does.
bool acts_on_a_terminal(std::uint32_t code) {
    const auto is_within = [code](std::uint32_t first, std::uint32_t last) {
        return code >= first && code <= last;
    };
    return code < 0x20 || is_within(0x7f, 0x9f) || is_within(0x200b, 0x200f) ||
           is_within(0x2028, 0x202e) || is_within(0x2060, 0x206f) || code == 0xfeff;
}

std::string shown(std::uint32_t code) {
    return code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
}

/// Returns the text with all characters for which `is_shown` is true, and all bytes that are not
/// UTF-8, as escapes.
template <class Predicate>
std::string with_shown(std::string_view text, Predicate is_shown) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const auto [code, bytes] = first_character(text);
        if (bytes == 0)
            result += shown(byte_at(text, 0));
        else if (is_shown(code))
            result += shown(code);
        else
            result += text.substr(0, bytes);
        text.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    return result;
}

}  // namespace

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        // A shortcut for ASCII, since a file may be large.
        if (byte_at(text, at) < 0x80) {
            ++at;
            continue;
        }
        const std::size_t bytes = first_character(text.substr(at, 4)).bytes;
        if (bytes == 0) return at;
        at += bytes;
    }
    return std::nullopt;
}

std::string not_utf8(std::string_view line, std::size_t at) {
    return fmt::format("byte {} is {:#04x}, which is not UTF-8", at + 1, byte_at(line, at));
}

std::string as_utf8(std::string_view text) {
    return with_shown(text, [](std::uint32_t) { return false; });
}

std::string plain(std::string_view text) {
    return with_shown(text, [](std::uint32_t code) {
        return code != '\n' && code != '\t' && acts_on_a_terminal(code);
    });
}

std::string plain_line(std::string_view text) {
    return with_shown(text, acts_on_a_terminal);
}

std::string file_name_of(std::string_view name) {
    constexpr std::size_t most_bytes = 64;
    std::string result(name.substr(0, most_bytes));
    std::ranges::replace_if(
        result,
        [](char each) {
            const bool is_letter = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
            const bool is_digit = each >= '0' && each <= '9';
            return !is_letter && !is_digit && each != '-' && each != '_' && each != '.';
        },
        '_');
    if (result.empty()) return "_";
    if (result.front() == '.') result.front() = '_';
    return result;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

std::string with_value(std::string command, std::string_view name, const std::string& value) {
    replace_all(command, name, value);
    return command;
}

namespace {

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& character : result) {
        if (character >= 'A' && character <= 'Z') character += 'a' - 'A';
    }
    return result;
}

/// Levenshtein's distance: the number of insertions, deletions and replacements that turn one name
/// into the other. Ignores letter case.
std::size_t edit_distance(std::string_view from, std::string_view to) {
    const std::string source = lower_case(from);
    const std::string target = lower_case(to);
    std::vector<std::size_t> row(target.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t k = 0; k < source.size(); ++k) {
        std::size_t diagonal = row[0];
        row[0] = k + 1;
        for (std::size_t j = 0; j < target.size(); ++j) {
            const std::size_t replaced = diagonal + (source[k] == target[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

// If a message would list more names, it lists half as many, the nearest ones, and the number of
// the others.
constexpr std::size_t most_listed = 60;

/// Returns the largest distance of a suggestion: a third of the letters, or 1 in a name of two to
/// five letters.
std::size_t largest_close_distance(std::string_view name) {
    if (name.size() < 2) return 0;
    return std::max<std::size_t>(1, name.size() / 3);
}

}  // namespace

std::string nearest_name(std::string_view name, std::vector<std::string> valid) {
    std::sort(valid.begin(), valid.end());
    const auto nearest = std::min_element(
        valid.begin(), valid.end(), [name](const std::string& one, const std::string& other) {
            return edit_distance(name, one) < edit_distance(name, other);
        });
    const bool is_close =
        nearest != valid.end() && edit_distance(name, *nearest) <= largest_close_distance(name);
    return is_close ? *nearest : "";
}

std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& valid) {
    std::vector<std::string> sorted = valid;
    std::sort(sorted.begin(), sorted.end());
    std::string message = fmt::format("unknown {} '{}'", kind, name);
    const std::string nearest = nearest_name(name, sorted);
    message += nearest.empty() ? "; valid: " : "; did you mean '" + nearest + "'? Valid: ";
    if (sorted.empty()) return message + "none";
    const std::size_t all = sorted.size();
    if (all > most_listed) {
        std::ranges::stable_sort(
            sorted, {}, [name](const std::string& each) { return edit_distance(name, each); });
        sorted.resize(most_listed / 2);
        std::ranges::sort(sorted);
    }
    message += fmt::format("{}", fmt::join(sorted, ", "));
    return message + (all > sorted.size() ? fmt::format(" and {} more", all - sorted.size()) : "");
}

std::string lower_case(std::string text) {
    for (char& each : text)
        if (each >= 'A' && each <= 'Z') each = static_cast<char>(each - 'A' + 'a');
    return text;
}

std::string library_name(const std::string& said) {
    std::string first = said.substr(0, said.find_first_of(",\n"));
    constexpr std::string_view version = "Version:";
    if (const std::size_t at = first.find(version); at != std::string::npos)
        first.replace(at, version.size(), " ");
    std::string name;
    for (const char c : first) {
        const bool is_blank = c == ' ' || c == '\t';
        if (!is_blank || (!name.empty() && name.back() != ' ')) name += is_blank ? ' ' : c;
    }
    return name.empty() ? "unknown MPI library" : name;
}

}  // namespace mpiaudit
