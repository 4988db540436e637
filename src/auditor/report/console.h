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

/// What an audit prints: the overview, the choices of the library where they were asked for
/// (--algorithms), and if wanted tables, model and details.
/// \param where lines of the overview that say where tables and report are
void show(const Report& report, const Terminal& terminal, bool has_tables,
          const std::string& where);

/// The tables of the papers: a row per problem with its average block b, m and m' in elements and m
/// in bytes; for every implementation the average and the minimum in microseconds. '!' marks the
/// left side of a violated guideline, in bold red, '~' that of a remark. Columns that do not fit
/// the width follow in a further table; what has no measured row is left out.
std::string tables(const Report& report, const Terminal& terminal);

/// How the measured implementations compare to the linear cost model of the machine: measured
/// (median) over predicted time, where the algorithm is known, and over the lower bound of what it
/// does; the median over the problems with the smallest and the largest. Only a sentence where the
/// model does not fit the machine; empty for an audit without a model.
std::string model_table(const Report& report);

/// The best algorithm per operation and problem beside the library's choice, as a table; empty when
/// the report has no choices.
std::string choices_table(const Report& report, const Terminal& terminal);

/// The verdicts in numbers, why checks were skipped, what the launches say, all warnings, and every
/// violated guideline in words with its worst problem; then the remarks.
std::string details(const Report& report, const Terminal& terminal);

/// What several launches say about each other, a sentence each: what a confirmation found, and the
/// checks on which they disagree. Nothing for an audit of one launch.
std::vector<std::string> launches_in_words(const Report& report);

/// Where samples after a barrier and those by the global clock contradict each other, a sentence
/// each; nothing for an audit with one of the two.
std::vector<std::string> synchronisations_in_words(const Report& report);

/// How many checks are violated in first calls and hold in repeated ones, or the other way round
/// (--heap both); nothing where there are none.
std::string heaps_in_words(const Report& report);

/// A time in microseconds in at most five characters, with three or more significant digits below
/// 100 seconds.
std::string microseconds(double seconds);

/// A number of elements in at most seven characters, exact below 10^7.
std::string amount(std::int64_t elements);

/// A block size in at most five characters, below 10^7 exact if it is round: 1000 is 1k.
std::string block_amount(std::int64_t elements);

}  // namespace mpiaudit
