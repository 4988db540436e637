// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "record/audit_record.h"

namespace mpiaudit {

/// Shares the wall time of an audit between its problems, on rank 0. Few problems measured well
/// tell more than all of them measured badly: each gets the time that it needs to be measured well,
/// where its share of what is left is less, but never more than a third of what is left while
/// others wait, so that a middle, a small and a large size have their turn. What needs far more
/// than it could get is left out, but not where all do.
class Budget {
  public:
    /// \param total_s infinite: no limit
    /// \param works[i] that of problem i, in any unit; 0: it is not to be measured
    /// \param weights[i] to which its share of the time is proportional; none: its work, but a
    /// share is never less than half of what each would get of equal ones
    /// \param leaves_rest time is left for problems to come: each gets half of its share, but what
    /// it needs to be measured well and somewhat more, never more than a sixth; none is left out
    Budget(std::vector<double> works, double total_s, std::vector<double> weights = {},
           bool leaves_rest = false);

    /// Seconds for problem `index`, which is next, `elapsed_s` after the start; 0 where none are
    /// left, or so few that hardly a check could be decided.
    double limit_s(std::size_t index, double elapsed_s) const;
    /// Which part that is of what the problem needs to be measured well.
    double part_of_needed(std::size_t index, double limit_s) const {
        return limit_s / needed_s(index);
    }
    /// How long it took, or, where its own limit ended it, how far it came.
    void measured(std::size_t index, const record::ProblemRecord& record);

  private:
    double needed_s(std::size_t index) const;

    std::vector<double> works_;
    double equal_share_;
    std::vector<double> weights_;
    double total_s_;
    bool leaves_rest_;
    std::vector<bool> is_open_;
    double needed_work_ = 0.0;  ///< of the problems that were measured,
    double needed_s_ = 0.0;     ///< and the seconds that take each of them to good_rounds
};

}  // namespace mpiaudit
