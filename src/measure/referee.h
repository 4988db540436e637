// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "judge/verdict.h"

namespace mpiaudit {

/// Watches the rounds of one problem and tells which contestants are still needed: those of a check
/// that is not decided. Plain comparisons have no stopping rule and need all rounds.
class Referee {
  public:
    struct Check {
        std::size_t left;
        std::size_t right;
        judge::EvidenceProcess process;
        bool is_given_up = false;
    };
    Referee(std::vector<Check> checks, judge::Criterion criterion)
        : checks_{std::move(checks)}, stops_early_{criterion == judge::Criterion::evidence} {}

    /// One round: samples_s[c] of the contestants that ran, indexed by contestant.
    void add_round(std::span<const double> samples_s);
    bool is_decided() const;
    /// Gives up the checks that have no prospects until round `last`: they stay undecided.
    void give_up_hopeless(int last);
    /// Contestants, ascending, that a check still needs.
    std::vector<int> needed() const;

  private:
    bool is_open(const Check& check) const;
    std::vector<Check> checks_;
    bool stops_early_;
};

}  // namespace mpiaudit
