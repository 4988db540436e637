// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace mpiaudit {

// The only functions that write to standard output and standard error. The text passes through
// plain(), except for these marks.

inline constexpr std::string_view emphasis_begins = "\033[1;31m", emphasis_ends = "\033[0m";
/// Begins a remark on a reference algorithm; emphasis_ends ends the remark, too.
inline constexpr std::string_view remark_begins = "\033[35m";

/// Opens closed standard streams on /dev/null. Otherwise the next opened file, perhaps one of the
/// MPI library, would get their number and receive the printed text. Call this function first.
void open_standard_streams();

/// Prints the text to standard output, made plain except for the emphasis.
void say_text(std::string_view text);
/// Prints to standard output; output_error() tells of failures.
template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
    say_text(fmt::format(format, std::forward<T>(values)...));
}

/// Prints "mpiaudit: ", the text and a line end to standard error.
void remark_text(std::string_view text);
/// Prints the line "mpiaudit: TEXT" to standard error.
template <class... T>
void remark(fmt::format_string<T...> format, T&&... values) {
    remark_text(fmt::format(format, std::forward<T>(values)...));
}

/// Returns the system's text of the first failed write to standard output, or nullptr.
const char* output_error();

/// Returns the beginning of a text and " ...", together at most `columns` characters.
std::string shortened(const std::string& text, std::size_t columns);

/// Breaks a text into lines of at most `columns` characters; `indent` precedes each line after the
/// first. Ends with "..." after `most` lines; 0: unlimited.
std::string wrapped(const std::string& text, int columns, const std::string& indent,
                    std::size_t most = 0);

/// Breaks a shell command into lines that can be pasted together.
std::string folded_command(const std::string& command, int columns, const std::string& indent);

std::size_t number_of_lines(const std::string& text);

}  // namespace mpiaudit
