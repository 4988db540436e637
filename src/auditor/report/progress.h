// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace mpiaudit {

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
