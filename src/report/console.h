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
};

/// True when what is written to the descriptor ends on a terminal, also when Open MPI's launcher
/// stands in between.
bool is_terminal(int descriptor);

/// What standard output allows: colour, unless the user says when, if it is a terminal and NO_COLOR
/// is not set; the width from COLUMNS or the terminal, else 80.
Terminal standard_output(When colour);

/// All that an audit prints about its report: tables, models, choices, conclusions.
void show(const Report& report, const Terminal& terminal);

/// The tables of the papers: a row per problem, for every implementation the average and the
/// minimum in microseconds; a violated guideline marks its left side, in bold red or with '!'.
/// Columns that do not fit the width follow in a further table.
std::string tables(const Report& report, const Terminal& terminal);

/// How the measured implementations compare to the linear cost model of the machine: measured
/// (median) over predicted time, where the algorithm is known, and over the lower bound of what it
/// does; the median over the problems with the smallest and the largest. Empty for an audit without
/// a model.
std::string model_table(const Report& report);

/// The best algorithm per operation and problem beside the library's choice, as a table; empty when
/// the report has no choices.
std::string choices_table(const Report& report, const Terminal& terminal);

/// The verdicts in numbers, the warnings, and the worst violations in words, each with its advice;
/// the worst one with the command that reproduces it.
std::string conclusions(const Report& report, const Terminal& terminal);

/// What several launches say about each other, a sentence each: what a confirmation found, and the
/// checks on which they disagree. Nothing for an audit of one launch.
std::vector<std::string> launches_in_words(const Report& report);

/// Where samples after a barrier and those by the global clock contradict each other, a sentence
/// each; nothing for an audit with one of the two.
std::vector<std::string> synchronisations_in_words(const Report& report);

/// A time in microseconds in at most five characters, with three or more significant digits below
/// 100 seconds.
std::string microseconds(double seconds);

/// A number of elements in at most seven characters, exact below 10^7.
std::string amount(std::int64_t elements);

}  // namespace mpiaudit
