// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

namespace mpiaudit {

/// What --fail-on asks about: violations whose ratio of left to right exceeds a limit.
struct FailureCondition {
    bool is_wanted = true;  ///< false for "never"
    double limit = 0;       ///< 0: every violation
    bool is_inclusive = false;

    /// Of a violation. One without a ratio, as its right side took no time, fails any limit.
    bool fails(std::optional<double> ratio) const {
        return !ratio || (is_inclusive ? *ratio >= limit : *ratio > limit);
    }
};

/// Reads never, violation, ratio>1.5 or ratio>=1.5; nothing for what is none of these.
std::optional<FailureCondition> find_failure_condition(const std::string& text);

}  // namespace mpiaudit
