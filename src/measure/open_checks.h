// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "judge/verdict.h"

namespace mpiaudit {

/// The checks of one problem while its rounds are measured: which of them are not decided yet, and
/// which contestants these need. Plain comparisons have no stopping rule and need all rounds.
class OpenChecks {
  public:
    struct Check {
        std::size_t left;
        std::size_t right;
        judge::EvidenceProcess process;
        bool is_given_up = false;
    };
    OpenChecks(std::vector<Check> checks, judge::Criterion criterion)
        : checks_{std::move(checks)}, stops_early_{criterion == judge::Criterion::evidence} {}

    /// One round: samples_s[c] of the contestants that ran, indexed by contestant.
    void add_round(std::span<const double> samples_s);
    /// No check is open.
    bool is_decided() const;
    /// Gives up the checks that have no prospects until round `last`: they stay undecided.
    void give_up_hopeless(int last);
    /// Gives up the checks that need this contestant: its results are wrong.
    void withdraw(std::size_t contestant);
    /// Contestants, ascending, that an open check needs.
    std::vector<int> needed() const;

  private:
    bool is_open(const Check& check) const;
    std::vector<Check> checks_;
    bool stops_early_;
};

}  // namespace mpiaudit
