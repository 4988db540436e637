// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "screens/console.h"
#include "screens/screen.h"

namespace mpiaudit {

/// Returns the screen as lines of the terminal's width. A terminal and a file get the same first 23
/// lines (more on a higher terminal); rows and sentences without room become names, or go. A file
/// then gets what was left out, on at most 40 lines.
std::string fitted(const Screen& screen, const Terminal& terminal);

/// Returns all rows, each operation in a row of its own, and all sentences (--all).
std::string with_all(const Screen& screen, const Terminal& terminal);

/// Prints the first screen, and the tables of choices and times if the report has them.
void show(const Report& report, const Terminal& terminal, const Where& where, bool has_all);

/// Returns one line as text. \param most largest number of lines, 0: any
std::string laid_out(const ScreenLine& line, const Terminal& terminal, std::size_t most);

}  // namespace mpiaudit
