// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace mpiaudit {

/// Tells on standard error which problem is measured and how long the rest may take: on a terminal
/// one moving line with a bar, else a line every minute. The work of a problem may have any unit.
class Progress {
  public:
    /// \param work the work of each problem, in any unit
    /// \param moving overwrite one line
    /// \param limit_s the time until all work ends, in seconds
    Progress(std::vector<double> work, bool moving,
             double limit_s = std::numeric_limits<double>::infinity());
    /// Says that the next problem begins.
    /// \param decided the share of decided checks so far, 0 to 1; negative: unknown
    void begin(const std::string& what, double decided = -1.0);
    /// Says how many seconds problem `index` took; 0 for a problem of an earlier session, which
    /// tells nothing about the speed of this session.
    void end(std::size_t index, double elapsed_s);
    /// Prints a line that stays, above the moving line.
    void say(const std::string& line) const;
    /// Clears the moving line.
    void finish() const;

    /// Returns the seconds that the remaining problems may take: estimated from the measured
    /// problems, at most what the limit leaves; negative if neither is known.
    double remaining_s() const;

  private:
    /// Returns "####------ " for two fifths of the work.
    std::string bar() const;

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
