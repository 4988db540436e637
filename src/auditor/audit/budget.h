// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "record/audit_record.h"

namespace mpiaudit {

/// Divides the wall time of an audit between its problems, on rank 0. Few problems measured well
/// tell more than all problems measured badly. So a problem gets its share of the remaining time,
/// or the time that it needs to be measured well if this is more, but at most a third of the
/// remaining time while other problems wait. Problems that need far more time than they could get
/// are left out, unless all problems do.
class Budget {
  public:
    /// \param works[i] relative cost of problem i, in any unit; 0: the problem is not measured
    /// \param total_s seconds of the audit; infinite: no limit
    /// \param weights[i] the share of problem i is proportional to this; empty: to its work, but at
    /// least half of an equal share
    /// \param leaves_rest leaves time for chosen problems: a problem gets half of its share, or 1.5
    /// times the time that it needs if this is more, but at most a sixth of the remaining time; no
    /// problem is left out
    Budget(std::vector<double> works, double total_s, std::vector<double> weights = {},
           bool leaves_rest = false);

    /// Returns the seconds for problem `index`, which is measured next, `elapsed_s` after the
    /// start; 0 if the time is over or too short to decide checks.
    double limit_s(std::size_t index, double elapsed_s) const;
    /// Returns `limit_s` over the time that the problem needs to be measured well.
    double part_of_needed(std::size_t index, double limit_s) const {
        return limit_s / needed_s(index);
    }
    /// Learns from a measured problem how long problems take; if its limit ended it, from the
    /// contestants that were measured.
    void measured(std::size_t index, const record::ProblemRecord& record) {
        measured(index, record, record.elapsed_s);
    }
    /// \param elapsed_s seconds that the problem took; a record of a simulation has simulated
    /// seconds
    /// \param unplanned the number of contestants that were measured because time was left
    void measured(std::size_t index, const record::ProblemRecord& record, double elapsed_s,
                  int unplanned = 0);

  private:
    double needed_s(std::size_t index) const;

    std::vector<double> works_;
    double equal_share_;
    std::vector<double> weights_;
    double total_s_;
    bool leaves_rest_;
    std::vector<bool> is_open_;
    double needed_work_ = 0.0;  ///< sum of the works of the measured problems
    double needed_s_ = 0.0;     ///< sum of the seconds that they need for good_rounds
};

}  // namespace mpiaudit
