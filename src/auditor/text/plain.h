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

/// Returns the offset in bytes of the first byte that is not UTF-8; nullopt if all are. Surrogates,
/// overlong forms and code points beyond U+10FFFF are not UTF-8 (RFC 3629).
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

/// Returns the message about this byte of a line: "byte 7 is 0xe9, which is not UTF-8".
std::string not_utf8(std::string_view line, std::size_t at);

/// Returns the text with each byte that is not UTF-8 replaced by an escape such as \xe9. Use this
/// function for names that the system or the environment gives and JSON files store.
std::string as_utf8(std::string_view text);

/// Makes a text from elsewhere safe to print. Keeps line ends and tabs. Replaces every other
/// character that acts on a terminal, reorders or hides text by an escape such as \x1b or \u202e,
/// and bytes that are not UTF-8, too.
std::string plain(std::string_view text);
/// Like plain(), but on one line: replaces line ends and tabs by \x0a and \x09.
std::string plain_line(std::string_view text);

/// Makes a file name of a text from elsewhere: keeps letters, digits, '-', '_' and '.', replaces
/// everything else and a leading dot by '_'. Returns 1 to 64 bytes.
std::string file_name_of(std::string_view name);

/// Returns the command with each `name` replaced by the value. \param name with braces: {ranks}
std::string with_value(std::string command, std::string_view name, const std::string& value);

/// Replaces each `what` in the text by `by`.
void replace_all(std::string& text, std::string_view what, std::string_view by);

/// Returns name and version from the text of MPI_Get_library_version: "Open MPI v4.1.4" from "Open
/// MPI v4.1.4, package: ...", "MPICH 4.0.2" from "MPICH Version:\t4.0.2\n...".
std::string library_name(const std::string& said);

/// Removes the prefix MPI_, if any: MPI_Bcast becomes Bcast.
constexpr std::string_view without_mpi(std::string_view name) {
    constexpr std::string_view prefix = "MPI_";
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

/// Returns this member of each row of a table or each element of a list.
std::vector<std::string> names_of(const auto& rows, auto member) {
    std::vector<std::string> names;
    for (const auto& each : rows) names.emplace_back(std::invoke(member, each));
    return names;
}

/// Returns the first element whose member equals `value`, or nullptr.
auto* find_in(auto& list, const auto& value, auto member) {
    const auto found = std::ranges::find(list, value, member);
    return found == std::ranges::end(list) ? nullptr : &*found;
}

bool is_among(const auto& list, const auto& value) {
    return std::ranges::find(list, value) != std::ranges::end(list);
}

/// Returns the text with ASCII letters in lower case.
std::string lower_case(std::string text);

/// Returns the message for a name that does not exist:
///     unknown distribution 'spike'; did you mean 'spikes'? Valid: alternating, decreasing, ...
/// Sorts the valid names; leaves out the suggestion if no name is close.
std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& valid);

/// Returns the closest valid name, or "" if none is close.
std::string nearest_name(std::string_view name, std::vector<std::string> valid);

}  // namespace mpiaudit
