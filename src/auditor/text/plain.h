// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

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

/// A word as a shell needs it.
std::string shell_word(const std::string& word);

/// A command with a value wherever it has a name. \param name as it is written: {ranks}
std::string with_value(std::string command, std::string_view name, const std::string& value);

/// Puts `by` wherever the text has `what`.
void replace_all(std::string& text, std::string_view what, std::string_view by);

/// Bcast of MPI_Bcast; what does not begin so stays as it is.
constexpr std::string_view without_mpi(std::string_view name) {
    constexpr std::string_view prefix = "MPI_";
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

}  // namespace mpiaudit
