// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "report/report.h"

namespace mpiaudit {

/// The numbers of violated checks by the verdicts of their launches, and of suspicions that are not
/// counted.
struct Confirmed {
    std::size_t by_every_launch = 0, by_all_together = 0, measured_once = 0, suspected = 0;
};

/// Counts the checks that are verdicts, not remarks.
Confirmed confirmed(const Report& report);

/// Checks that held in the audit and were measured again, and those of them that a later launch
/// found violated.
struct Controls {
    std::size_t measured = 0, accused = 0;

    /// Returns true if more controls came out violated than alpha allows.
    bool are_too_many(double alpha) const {
        return static_cast<double>(accused) > alpha * static_cast<double>(measured);
    }
};

/// Counts the controls of all confirmations.
Controls controls_of(const Report& report);

/// Returns the share of decided checks, of those that are measured or wait for time: 0 to 1.
double decided_share(const Report& report);

/// Below this share of decided checks, an operation without a row may be slow all the same.
inline constexpr double few_decided = 0.5;

}  // namespace mpiaudit
