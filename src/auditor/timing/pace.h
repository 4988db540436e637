// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <optional>

namespace mpiaudit {

/// Decides how many rounds a problem gets, and how many rounds run until the next decision about
/// its checks. Short rounds may be thousands, long ones few.
class Pace {
  public:
    /// \param max_rounds rounds whatever their time
    /// \param further_s seconds for rounds beyond max_rounds
    /// \param limit_s seconds for all rounds
    Pace(int max_rounds, double further_s, double limit_s)
        : max_rounds_{max_rounds}, further_s_{further_s}, limit_s_{limit_s} {}

    /// Sets the expected seconds of a round before the first batch.
    void expect_round(double seconds) { round_s_ = fastest_round_s_ = seconds; }
    /// Notes a batch of rounds and its seconds. \param dropped rounds of the batch that do not
    /// count
    void add(int rounds, double seconds, int dropped = 0);

    int done() const { return done_; }
    double limit_s() const { return limit_s_; }
    /// Returns the number of the last round: max_rounds, and further rounds as far as time allows.
    int last() const;
    /// Returns the number of rounds until the next decision; 0 after the last round. \param
    /// earliest first round that can decide anything
    int next_batch(std::optional<int> earliest) const;
    bool fits_another_round(double elapsed_s) const { return elapsed_s + round_s_ <= limit_s_; }

  private:
    int max_rounds_;
    double further_s_;  ///< seconds left for rounds beyond max_rounds
    double limit_s_;
    double round_s_ = longest_batch_s;
    // Contestants only leave, so rounds do not become slower: a slower batch was disturbed. A
    // forecast from a disturbed batch would give up all open checks.
    double fastest_round_s_ = std::numeric_limits<double>::infinity();
    int done_ = 0;
    // Longest batch in seconds: a decision is negligible compared with this time.
    static constexpr double longest_batch_s = 0.1;
};

}  // namespace mpiaudit
