// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/command.h"

namespace mpiaudit {

/// Where the text ceases to be UTF-8, in bytes from its start: surrogates, overlong forms and what
/// lies beyond U+10FFFF are none, as in RFC 3629.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

/// What to say about that place of a line: "byte 7 is 0xe9, which is not UTF-8".
std::string not_utf8(std::string_view line, std::size_t at);

/// UTF-8 whatever the text was: the bytes that are none become \xe9. For names that the system or
/// the environment gives, which end in files of JSON.
std::string as_utf8(std::string_view text);

/// What is safe to print of a text from elsewhere: line ends and tabs stay, every other character
/// that acts on a terminal, reorders or hides text becomes \x1b or \u202e, and so do bytes that are
/// no UTF-8.
std::string plain(std::string_view text);
/// The same on one line: line ends and tabs, too, become \x0a and \x09.
std::string plain_line(std::string_view text);

/// A path's component made of a name from elsewhere: letters, digits, '-', '_' and '.' stay, and
/// everything else becomes '_', as does a dot at the start. At most 64 bytes, never empty.
std::string file_name_of(std::string_view name);

/// A command with a value wherever it has a name. \param name as it is written: {ranks}
std::string with_value(std::string command, std::string_view name, const std::string& value);

/// Puts `by` wherever the text has `what`.
void replace_all(std::string& text, std::string_view what, std::string_view by);

/// Name and version of what an MPI library says of itself: Open MPI v4.1.4 of "Open MPI v4.1.4,
/// package: ...", MPICH 4.0.2 of "MPICH Version:\t4.0.2\n...".
std::string library_name(const std::string& said);

/// Bcast of MPI_Bcast; what does not begin so stays as it is.
constexpr std::string_view without_mpi(std::string_view name) {
    constexpr std::string_view prefix = "MPI_";
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

/// The same member of each row of a table, or of each element of a list.
std::vector<std::string> names_of(const auto& rows, auto member) {
    std::vector<std::string> names;
    for (const auto& each : rows) names.emplace_back(std::invoke(member, each));
    return names;
}

/// The first of which this member is the value; null where there is none.
auto* find_in(auto& list, const auto& value, auto member) {
    const auto found = std::ranges::find(list, value, member);
    return found == std::ranges::end(list) ? nullptr : &*found;
}

bool is_among(const auto& list, const auto& value) {
    return std::ranges::find(list, value) != std::ranges::end(list);
}

/// What to tell a user who gave a name that does not exist:
///     unknown distribution 'spike'; did you mean 'spikes'? Valid: alternating, decreasing, ...
/// The valid names are sorted; the suggestion is left out when no name is close.
std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& valid);

/// The valid name that is close to this one; empty when none is.
std::string nearest_name(std::string_view name, std::vector<std::string> valid);

}  // namespace mpiaudit
