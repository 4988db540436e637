// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "judge/order_effect.h"
#include "judge/verdict.h"
#include "timing/rounds.h"

namespace mpiaudit {

/// The checks of one problem while its rounds are measured: which of them are not decided yet, and
/// which contestants these need. Plain comparisons have no stopping rule and need all rounds.
///
/// What is to be advised where a check is violated has to be shown, too: a rival is another way of
/// what the left side of some check does. It takes part as long as it may turn out to be faster and
/// no check of that side has settled that nothing is wrong with it.
///
/// A violated check stays open until its repeat rounds tell whether it depends on the order of
/// calls.
class OpenChecks {
  public:
    struct Check {
        /// \param coin_seed decides ties, as in the report
        Check(std::size_t left_side, std::size_t right_side, const judge::Rule& rule,
              std::uint64_t coin_seed, bool is_rival_way = false)
            : left{left_side},
              right{right_side},
              process(rule, coin_seed),
              order(rule, coin_seed),
              is_rival{is_rival_way} {}
        std::size_t left;
        std::size_t right;
        judge::EvidenceProcess process;
        judge::OrderProcess order;
        bool is_rival;  ///< of its left side, which is that of some check
        bool is_given_up = false;
        bool is_order_clear = false;
    };
    /// \param checks all rivals behind all others
    OpenChecks(std::vector<Check> checks, const judge::Rule& rule)
        : checks_{std::move(checks)},
          stops_early_{rule.criterion == judge::Criterion::evidence},
          has_order_{stops_early_ && !rule.deterministic} {}

    /// One round: samples_s[c] of the contestants that ran, indexed by contestant.
    void add_round(std::span<const double> samples_s, bool is_repeat = false);
    /// Behind the last round of a batch: looks at the order of calls, which takes too long for
    /// every round.
    void end_batch();
    /// Which of the next rounds have to be repeat rounds: all, where a violated check needs them.
    Repeats repeats() const;
    /// No check is open; rivals may be.
    bool is_decided() const;
    /// Gives up the checks that have no prospects until round `last`: they stay undecided. So are
    /// rivals of what turned out to be right.
    void give_up_hopeless(int last);
    /// Gives up the checks that need this contestant: its results are wrong.
    void withdraw(std::size_t contestant);
    /// The first round in which any of the open checks and rivals could be decided; none: no round
    /// decides anything.
    std::optional<int> earliest_decision() const;
    /// Contestants, ascending, that an open check needs or that are open rivals.
    std::vector<int> needed() const;

  private:
    bool is_open(const Check& check) const;
    bool awaits_repeats(const Check& check) const;
    bool has_prospects(const Check& check, int last) const;
    /// No check with this left side is violated or can still become so.
    bool is_right(std::size_t left) const;
    std::vector<Check> checks_;
    bool stops_early_;
    bool has_order_;  ///< simulated times without noise do not depend on the order
};

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
