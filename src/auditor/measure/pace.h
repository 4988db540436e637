// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace mpiaudit {

/// How many rounds a problem gets, and how many of them before the next look at its checks. Rounds
/// are counted in time: short ones may be thousands, long ones are few.
class Pace {
  public:
    /// \param max_rounds however long they take
    /// \param further_s for more rounds than these
    /// \param limit_s for all of them
    Pace(int max_rounds, double further_s, double limit_s)
        : max_rounds_{max_rounds}, further_s_{further_s}, limit_s_{limit_s} {}

    /// What a round is expected to take before the first batch.
    void expect_round(double seconds) { round_s_ = fastest_round_s_ = seconds; }
    /// A batch and what it took. \param dropped of its rounds, which count as not done
    void add(int rounds, double seconds, int dropped = 0);

    int done() const { return done_; }
    double limit_s() const { return limit_s_; }
    /// The last round, as far as can be told: beyond `max_rounds` by what a round will take then.
    int last() const;
    /// Rounds until the next look, 0 behind the last. \param earliest round that can decide
    /// anything, if one can
    int next_batch(std::optional<int> earliest) const;
    bool fits_another_round(double elapsed_s) const { return elapsed_s + round_s_ <= limit_s_; }

  private:
    int max_rounds_;
    double further_s_;  ///< that are left
    double limit_s_;
    double round_s_ = longest_batch_s;
    // Contestants leave and none comes back, so what is slower was disturbed. By a forecast from
    // one such batch all open checks of a problem would be given up.
    double fastest_round_s_ = std::numeric_limits<double>::infinity();
    int done_ = 0;
    // A reduction every so often is negligible, so long rounds are looked at one by one.
    static constexpr double longest_batch_s = 0.1;
};

/// When contestants are looked at again between the rounds, and which: at random, so that no fault
/// can wait for the right moment, and as often as a share of the time of the rounds allows. On rank
/// 0, which decides.
class Looks {
  public:
    static constexpr double share_of_time = 0.02;

    /// \param expected_s of the first look
    Looks(std::uint64_t seed, double expected_s) : seed_{seed}, expected_s_{expected_s} {}

    /// One of `active` to be looked at now, if any. \param elapsed_s since the rounds began
    std::optional<int> draw(std::span<const int> active, double elapsed_s);
    /// What the look has taken.
    void add(double seconds);

  private:
    std::uint64_t seed_;
    std::uint64_t draws_ = 0;
    double expected_s_;
    double spent_s_ = 0.0;
};

}  // namespace mpiaudit
