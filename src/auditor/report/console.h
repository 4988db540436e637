// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How sentences, numbers and commands look on the console.
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "options/options.h"
#include "report/report.h"
#include "text/console.h"

namespace mpiaudit {

/// How the console may be used.
struct Terminal {
    bool colour = false;
    int columns = 80;
    int rows = 24;  ///< 0: a file or a pipe, in which nothing is left out for want of room

    /// Lines that a text may have.
    std::size_t at_most(std::size_t lines) const { return rows == 0 ? 0 : lines; }
};

/// True when what is written to the descriptor ends on a terminal, also when Open MPI's launcher
/// stands in between.
bool is_terminal(int descriptor);

/// What standard output allows: colour, unless the user says when, if it is a terminal and NO_COLOR
/// is not set; the width from COLUMNS or the terminal, else 80, the height from LINES or the
/// terminal; of what is no terminal none.
Terminal standard_output(When colour);

/// What an audit prints: the overview, and the choices of the library where they were asked for
/// (--algorithms). \param where lines of the overview that say where the report is
void show(const Report& report, const Terminal& terminal, const std::string& where);

/// What an audit found, on one screen of the terminal: the answer, a row for each violated
/// operation (OverviewRow), how many violations there are and how sure they are, what has no
/// verdict and why, and the command that measures the first row again. In a file the rows are
/// followed by their advice and code. \param where lines that say where the report is; they come
/// last
std::string overview(const Report& report, const Terminal& terminal, const std::string& where);

/// Lines that a list of names may have, on a terminal and in a file.
inline constexpr std::size_t lines_for_names = 2;

/// Names as far as they fit into some lines, and how many more there are.
std::string listed(const std::string& head, const std::vector<std::string>& names,
                   const Terminal& terminal, std::size_t most = lines_for_names);

/// The rows of the overview as a table, with their code in a file.
/// \param room_beside returns most lines, where that is possible, from those that all rows take
std::string overview_of_operations(const Report& report, const Terminal& terminal,
                                   const std::function<std::size_t(std::size_t)>& room_beside);

/// The best algorithm per operation and problem beside the library's choice, as a table; empty when
/// the report has no choices.
std::string choices_table(const Report& report, const Terminal& terminal);

/// How much a sentence tells. A brief one leaves out details that report.json and a file have.
enum class Length { full, brief };

/// How many checks are violated, how many of these every launch confirms, what only some launches
/// suspect, and what the controls of confirmations say. Empty where nothing is violated or
/// suspected.
std::string violations_in_words(const Report& report, Length length = Length::full);

/// How many problems of independent audits were not measured by all of them; empty where that was
/// not counted.
std::string measured_alone_in_words(const Report& report);

/// Where samples after a barrier and those by the global clock contradict each other, a sentence
/// each; nothing for an audit with one of the two.
std::vector<std::string> synchronisations_in_words(const Report& report);

/// Whether what this process writes to standard error ends on a terminal, directly or through a
/// launcher on this host: mpirun gives its ranks pipes, and passes on what comes out of them.
bool errors_reach_a_terminal();

/// In bold red, where colour is allowed; of a remark in magenta.
std::string emphasised(const std::string& text, const Terminal& terminal,
                       CheckKind kind = CheckKind::verdict);

/// A time in microseconds in at most five characters, with three or more significant digits below
/// 100 seconds.
std::string microseconds(double seconds);

/// Of times: three significant digits, two decimals near 1; as in the tables of analysis/.
std::string ratio_text(double ratio);

/// Three significant digits without an exponent; narrow no-break spaces separate thousands.
std::string short_text(double value);

/// A count with narrow no-break spaces between thousands, as the page has counts.
std::string separated(std::size_t count);

/// In binary units: 1536 is 1.5 KiB; as in analysis/.
std::string bytes_text(std::int64_t bytes);

/// "1 check", "2 checks".
std::string counted(std::size_t count, const std::string& word);

/// The sum of what an application could save, the largest savings, and what was not audited, on few
/// lines; empty for an audit of no application.
std::string savings_in_words(const Report& report, const Terminal& terminal);

/// How many problems were left out, with their reasons, the most frequent one first, each with the
/// command that audits them where there is one.
std::string left_out_in_words(const application::Selection& selection);

/// What is done and how long the rest may take, on standard error: one moving line on a terminal,
/// else a quiet line every so often. Knows of each problem how much work it is, in any unit.
class Progress {
  public:
    /// `moving`: overwrite one line. `work[i]`: that of problem i. All of it ends after `limit_s`
    /// seconds at the latest.
    Progress(std::vector<double> work, bool moving,
             double limit_s = std::numeric_limits<double>::infinity());
    /// The next problem begins.
    void begin(const std::string& what);
    /// Problem `index` has taken `elapsed_s`; 0 for a problem of an earlier session, which tells
    /// nothing about the speed of this one.
    void end(std::size_t index, double elapsed_s);
    /// Clears the moving line.
    void finish();

    /// Seconds that the problems which have not ended may take, from those that were measured so
    /// far, or what the limit leaves, if that is less; negative when neither is known.
    double remaining_s() const;

  private:
    std::vector<double> work_;
    bool moving_;
    double end_s_;
    std::vector<bool> ended_;
    double measured_work_ = 0.0;
    double measured_s_ = 0.0;
    double last_line_s_ = 0.0;
};

/// 45 s, 22 min, 3 h 20 min
std::string time_in_words(double seconds);

}  // namespace mpiaudit
