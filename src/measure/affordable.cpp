// SPDX-License-Identifier: BSD-3-Clause
#include "measure/affordable.h"

#include "measure/protocol.h"
#include "plan/order.h"

namespace mpiaudit {

std::vector<char> affordable_checks(const PlannedProblem& planned, const Prepared& prepared,
                                    const std::vector<double>& costs_s, double limit_s) {
    std::vector<char> is_affordable(planned.checks.size());
    std::vector<bool> takes_part(planned.contestants.size());
    double left_s = limit_s / static_cast<double>(good_rounds);
    for (const std::size_t i : in_turns(planned)) {
        const auto [guideline, left, right] = planned.checks[i];
        if (!prepared.can_run(left) || !prepared.can_run(right)) continue;
        const double more_s =
            (takes_part[left] ? 0.0 : costs_s[left]) + (takes_part[right] ? 0.0 : costs_s[right]);
        if (more_s > left_s) continue;
        left_s -= more_s;
        takes_part[left] = takes_part[right] = true;
        is_affordable[i] = 1;
    }
    return is_affordable;
}

}  // namespace mpiaudit
