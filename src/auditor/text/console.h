// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace mpiaudit {

// The only way to the standard streams. What is printed passes plain(), but for emphasis.

inline constexpr std::string_view emphasis_begins = "\033[1;31m", emphasis_ends = "\033[0m";
/// Of remarks on reference algorithms; it ends as emphasis does.
inline constexpr std::string_view remark_begins = "\033[35m";

/// Makes sure that the standard streams are there: else the next file that is opened, one of the
/// MPI library perhaps, would get their numbers and what is printed. Before anything else.
void open_standard_streams();

void say_text(std::string_view text);
/// To standard output. When that takes no more, output_error() knows.
template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
    say_text(fmt::format(format, std::forward<T>(values)...));
}

void remark_text(std::string_view text);
/// To standard error: "mpiaudit: " and the text, as a line.
template <class... T>
void remark(fmt::format_string<T...> format, T&&... values) {
    remark_text(fmt::format(format, std::forward<T>(values)...));
}

/// Why some of what was said is lost, in the system's words,
/// nullptr when nothing was. What is lost once stays lost.
const char* output_error();

/// The beginning of a text and " ...", no longer than `columns` together.
std::string shortened(const std::string& text, std::size_t columns);

/// Breaks a text into lines of the terminal's width; `indent` precedes each line after the first.
/// What follows the line `most` is left out, and "..." says so; 0: all lines.
std::string wrapped(const std::string& text, int columns, const std::string& indent,
                    std::size_t most = 0);

/// A shell command, broken in a way that it can be pasted with its line ends.
std::string folded_command(const std::string& command, int columns, const std::string& indent);

std::size_t number_of_lines(const std::string& text);

}  // namespace mpiaudit
