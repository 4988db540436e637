// SPDX-License-Identifier: BSD-3-Clause
#include "options/options.h"

#include <limits>

#include "simulation/platform.h"

namespace mpiaudit {

void settle_rule(judge::Rule& rule, const GivenOptions& options) {
    const bool is_plain = rule.criterion != judge::Criterion::evidence;
    if (!options.is_given("tolerance")) rule.tolerance = is_plain ? 0.0 : 0.05;
    if (!options.is_given("outliers"))
        rule.outliers = is_plain ? judge::Outliers::none : judge::Outliers::two_sided;
}

judge::Rule RunOptions::rule(int checks_of_audit) const {
    judge::Rule rule = *this;
    rule.checks = checks_of_audit;
    rule.deterministic = platform().is_deterministic;
    return rule;
}

double LimitOptions::budget_s() const {
    return budget.empty() ? std::numeric_limits<double>::infinity() : budget->count;
}

}  // namespace mpiaudit
