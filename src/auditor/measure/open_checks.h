// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "judge/order_effect.h"
#include "judge/verdict.h"
#include "timing/pace.h"
#include "timing/rounds.h"

namespace mpiaudit {

/// The checks of one problem while its rounds are measured: decides which checks are open, and so
/// which contestants have to run. Without a stopping rule all checks need all rounds.
///
/// A rival does the same as the left side of a check, in another way; it is measured because the
/// report may advise it. A rival takes part as long as it may turn out to be faster and its left
/// side is not cleared by all its checks.
///
/// A violated check stays open until its repeat rounds show whether the violation depends on the
/// order of calls.
class OpenChecks {
  public:
    struct Check {
        /// \param coin_seed seed of the coin that decides ties, as in the report
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
        bool is_rival;  ///< the right side is a rival of the left side
        bool is_given_up = false;
        bool is_order_clear = false;
    };
    /// \param checks rivals follow all other checks
    /// \param unchecked contestants that need all rounds, although no check needs them
    OpenChecks(std::vector<Check> checks, const judge::Rule& rule, std::vector<int> unchecked = {})
        : checks_{std::move(checks)},
          unchecked_{std::move(unchecked)},
          stops_early_{rule.criterion == judge::Criterion::evidence},
          has_order_{stops_early_ && !rule.deterministic} {}

    /// Adds one round. \param samples_s[c] seconds of contestant c, if it ran
    void add_round(std::span<const double> samples_s, bool is_repeat = false);
    /// Ends a batch of rounds: updates the evidence on the order of calls, which takes too long for
    /// every round.
    void end_batch();
    /// Returns which of the next rounds are repeat rounds: all, while a violated check needs them.
    Repeats repeats() const;
    /// Returns whether no check is open; rivals may be open.
    bool is_decided() const;
    /// Gives up the checks that cannot be decided until round `last`, and the rivals of cleared
    /// left sides.
    void give_up_hopeless(int last);
    /// Removes the checks of a contestant whose results are wrong.
    void withdraw(std::size_t contestant);
    /// Returns the first round in which an open check or rival could be decided; nullopt if none
    /// could.
    std::optional<int> earliest_decision() const;
    /// Returns the contestants, in ascending order, that open checks and rivals need.
    std::vector<int> needed() const;

  private:
    bool is_open(const Check& check) const;
    bool awaits_repeats(const Check& check) const;
    bool has_prospects(const Check& check, int last) const;
    /// Returns whether no check with this left side is violated or open.
    bool is_right(std::size_t left) const;
    std::vector<Check> checks_;
    std::vector<int> unchecked_;
    bool stops_early_;
    bool has_order_;  ///< simulated times do not depend on the order of calls
};

/// Decides when a contestant is verified again between the rounds, and which one: at random, so
/// that no fault can wait for the right moment, and for at most a share of the time of the rounds.
/// On rank 0.
class Reverification {
  public:
    static constexpr double share_of_time = 0.02;

    /// \param expected_s expected seconds of the first verification
    Reverification(std::uint64_t seed, double expected_s) : seed_{seed}, expected_s_{expected_s} {}

    /// Returns one of the `active` contestants, or nullopt to verify none now. \param elapsed_s
    /// seconds since the rounds began
    std::optional<int> draw(std::span<const int> active, double elapsed_s);
    /// Notes the seconds that a verification took.
    void add(double seconds);

  private:
    std::uint64_t seed_;
    std::uint64_t draws_ = 0;
    double expected_s_;
    double spent_s_ = 0.0;
};

}  // namespace mpiaudit
