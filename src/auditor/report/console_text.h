// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/console.h"

// How sentences, numbers and commands look on the console.
namespace mpiaudit {

/// The beginning of a text and " ...", no longer than `columns` together.
std::string shortened(const std::string& text, std::size_t columns);

/// Breaks a text into lines of the terminal's width; `indent` precedes each line after the first.
/// What follows the line `most` is left out, and "..." says so; 0: all lines.
std::string wrapped(const std::string& text, int columns, const std::string& indent,
                    std::size_t most = 0);

/// A shell command, broken in a way that it can be pasted with its line ends.
std::string folded_command(const std::string& command, int columns, const std::string& indent);

std::size_t number_of_lines(const std::string& text);

/// In bold red, where colour is allowed; of a remark in magenta.
std::string emphasised(const std::string& text, const Terminal& terminal,
                       CheckKind kind = CheckKind::verdict);

/// A time in microseconds in at most five characters, with three or more significant digits below
/// 100 seconds.
std::string microseconds(double seconds);

/// Of times: three significant digits, two decimals near 1; as in the tables of analysis/.
std::string ratio_text(double ratio);

/// In binary units: 1536 is 1.5 KiB; as in analysis/.
std::string bytes_text(std::int64_t bytes);

/// "1 check", "2 checks".
std::string counted(std::size_t count, const std::string& word);

}  // namespace mpiaudit
