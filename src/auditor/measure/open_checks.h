// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "judge/verdict.h"

namespace mpiaudit {

/// The checks of one problem while its rounds are measured: which of them are not decided yet, and
/// which contestants these need. Plain comparisons have no stopping rule and need all rounds.
///
/// What is to be advised where a check is violated has to be shown, too: a rival is another way of
/// what the left side of some check does. It takes part as long as it may turn out to be faster and
/// no check of that side has settled that nothing is wrong with it.
class OpenChecks {
  public:
    struct Check {
        std::size_t left;
        std::size_t right;
        judge::EvidenceProcess process;
        bool is_given_up = false;
    };
    /// \param rivals pairs of the left side of some check and a rival of it
    OpenChecks(std::vector<Check> checks, judge::Criterion criterion,
               std::vector<Check> rivals = {})
        : checks_{std::move(checks)},
          rivals_{std::move(rivals)},
          stops_early_{criterion == judge::Criterion::evidence} {}

    /// One round: samples_s[c] of the contestants that ran, indexed by contestant.
    void add_round(std::span<const double> samples_s);
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
    bool is_open_rival(const Check& rival) const;
    /// No check with this left side is violated or can still become so.
    bool is_right(std::size_t left) const;
    std::vector<Check> checks_, rivals_;
    bool stops_early_;
};

}  // namespace mpiaudit
