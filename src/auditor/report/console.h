// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "options/options.h"
#include "report/report.h"

namespace mpiaudit {

/// How the console may be used.
struct Terminal {
    bool colour = false;
    int columns = 80;
    int rows = 24;
};

/// True when what is written to the descriptor ends on a terminal, also when Open MPI's launcher
/// stands in between.
bool is_terminal(int descriptor);

/// What standard output allows: colour, unless the user says when, if it is a terminal and NO_COLOR
/// is not set; the width from COLUMNS or the terminal, else 80, the height from LINES or the
/// terminal, else 24.
Terminal standard_output(When colour);

/// What an audit prints: the overview, and the choices of the library where they were asked for
/// (--algorithms). \param where lines of the overview that say where the report is
void show(const Report& report, const Terminal& terminal, const std::string& where);

/// The best algorithm per operation and problem beside the library's choice, as a table; empty when
/// the report has no choices.
std::string choices_table(const Report& report, const Terminal& terminal);

/// What several launches say about each other, a sentence each: what a confirmation found, and the
/// checks on which they disagree. Nothing for an audit of one launch.
std::vector<std::string> launches_in_words(const Report& report);

/// Where samples after a barrier and those by the global clock contradict each other, a sentence
/// each; nothing for an audit with one of the two.
std::vector<std::string> synchronisations_in_words(const Report& report);

/// How many checks are violated in first calls and hold in repeated ones, or the other way round
/// (--heap both); nothing where there are none.
std::string heaps_in_words(const Report& report);

}  // namespace mpiaudit
