// SPDX-License-Identifier: BSD-3-Clause
#include "measure/affordable.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/protocol.h"
#include "plan/order.h"

namespace mpiaudit {
namespace {

/// A right side that takes so many times as long in the first round will hardly turn out faster.
constexpr double hopeless = 1.5;

double expected_rounds(double left_s, double right_s) {
    return static_cast<double>(right_s > hopeless * left_s ? rounds_of_the_hopeless : good_rounds);
}

}  // namespace

std::vector<double> costs_in_turns(const PlannedProblem& planned, const Prepared& prepared,
                                   const std::vector<char>& is_wanted,
                                   const std::function<double(std::size_t)>& run,
                                   const std::function<bool()>& is_over) {
    std::vector<double> costs_s(planned.contestants.size(),
                                std::numeric_limits<double>::infinity());
    for (const std::size_t i : in_turns(planned)) {
        const auto [guideline, left, right] = planned.checks[i];
        if (!prepared.can_run(left) || !prepared.can_run(right)) continue;
        if (!is_wanted.empty() && !is_wanted[i]) continue;
        for (const std::size_t side : {left, right}) {
            if (std::isfinite(costs_s[side])) continue;
            if (is_over()) return costs_s;
            costs_s[side] = run(side);
        }
    }
    return costs_s;
}

std::vector<char> affordable_checks(const PlannedProblem& planned, const Prepared& prepared,
                                    const std::vector<double>& costs_s, double limit_s) {
    std::vector<char> is_affordable(planned.checks.size());
    std::vector<double> rounds(planned.contestants.size());  // that each contestant takes part in
    double left_s = limit_s;
    for (const std::size_t i : in_turns(planned)) {
        const auto [guideline, left, right] = planned.checks[i];
        if (!prepared.can_run(left) || !prepared.can_run(right)) continue;
        const double needed = expected_rounds(costs_s[left], costs_s[right]);
        const double more_s = std::max(0.0, needed - rounds[left]) * costs_s[left] +
                              std::max(0.0, needed - rounds[right]) * costs_s[right];
        if (more_s > left_s) continue;
        left_s -= more_s;
        for (const std::size_t side : {left, right}) rounds[side] = std::max(rounds[side], needed);
        is_affordable[i] = 1;
    }
    return is_affordable;
}

}  // namespace mpiaudit
