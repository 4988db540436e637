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

/// Colour and size of the console.
struct Terminal {
    bool colour = false;
    int columns = 80;
    int rows = 24;  ///< 0 for a file or a pipe: nothing is left out for want of room

    /// Returns the largest number of lines that a text may have; 0 means any number.
    std::size_t at_most(std::size_t lines) const { return rows == 0 ? 0 : lines; }
};

/// Returns true if the descriptor ends on a terminal, also if Open MPI's launcher is in between.
bool is_terminal(int descriptor);

/// Returns what standard output allows. Colour: as the user says, else if the output is a terminal
/// and NO_COLOR is not set. Width: from COLUMNS or the terminal, else 80. Height: from LINES or the
/// terminal, else 0.
Terminal standard_output(When colour);

/// Returns a table of the library's choices beside the best algorithm, for each operation and
/// problem; empty if the report has no choices.
std::string choices_table(const Report& report, const Terminal& terminal);

/// Returns how many checks are violated, how many of them every launch confirms, how many are
/// violated in some launches only, and what the controls of confirmations say. Empty if no launch
/// violates a check.
std::string violations_in_words(const Report& report);

/// Returns how many problems some of several independent audits did not measure; empty if there is
/// one audit.
std::string measured_alone_in_words(const Report& report);

/// Returns true if standard error ends on a terminal, directly or through a launcher on this host.
/// mpirun gives its ranks pipes, and passes their output on.
bool errors_reach_a_terminal();

/// Returns the text in bold red (a remark in magenta) if the terminal allows colour.
std::string emphasised(const std::string& text, const Terminal& terminal,
                       CheckKind kind = CheckKind::verdict);

/// Returns microseconds in at most five characters, with three or more significant digits below 100
/// seconds.
std::string microseconds(double seconds);

/// Returns "3.6 s", "0.52 s", "12 ms" or "3.1 us".
std::string time_text(double seconds);

/// Returns a ratio of times with three significant digits, near 1 with two decimals, as
/// analysis/units.py does.
std::string ratio_text(double ratio);

/// Returns three significant digits without an exponent. Narrow no-break spaces separate thousands.
std::string short_text(double value);

/// Returns a count with narrow no-break spaces between thousands, as the page has counts.
std::string separated(std::size_t count);

/// Returns bytes in binary units, as analysis/units.py does: 1536 is 1.5 KiB.
std::string bytes_text(std::int64_t bytes);

/// Returns "1 check", "2 checks".
std::string counted(std::size_t count, const std::string& word);

/// Returns what an application could save in all, its largest savings, and the problems that were
/// not audited, each in a sentence; nothing if the audit is of no application.
std::vector<std::string> savings_in_words(const Report& report);

/// Returns how many problems were left out for each reason, longest time first, with the command
/// that audits them if there is one.
std::string left_out_in_words(const application::Selection& selection);

/// Tells on standard error which problem is measured and how long the rest may take: on a terminal
/// one moving line, else a line every 10 s. The work of a problem may have any unit.
class Progress {
  public:
    /// \param work the work of each problem, in any unit
    /// \param moving overwrite one line
    /// \param limit_s the time until all work ends, in seconds
    Progress(std::vector<double> work, bool moving,
             double limit_s = std::numeric_limits<double>::infinity());
    /// Says that the next problem begins.
    void begin(const std::string& what);
    /// Says how many seconds problem `index` took; 0 for a problem of an earlier session, which
    /// tells nothing about the speed of this session.
    void end(std::size_t index, double elapsed_s);
    /// Clears the moving line.
    void finish();

    /// Returns the seconds that the remaining problems may take: estimated from the measured
    /// problems, at most what the limit leaves; negative if neither is known.
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

/// Returns "45 s", "22 min" or "3 h 20 min".
std::string time_in_words(double seconds);

}  // namespace mpiaudit
