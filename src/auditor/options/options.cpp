// SPDX-License-Identifier: BSD-3-Clause
#include "options/options.h"

#include "simulation/platform.h"

namespace mpiaudit {

judge::Outliers default_outliers(judge::Criterion criterion) {
    return criterion == judge::Criterion::evidence ? judge::Outliers::two_sided
                                                   : judge::Outliers::none;
}

double default_tolerance(judge::Criterion criterion) {
    return criterion == judge::Criterion::evidence ? 0.05 : 0.0;
}

judge::Rule RunOptions::rule(int checks) const {
    judge::Rule rule;
    rule.criterion = judge::criterion(judge).value();
    rule.outliers = judge::outliers(outliers).value();
    rule.tolerance = tolerance.value_or(default_tolerance(rule.criterion));
    rule.alpha = alpha;
    rule.checks = checks;
    rule.deterministic = platform().is_deterministic;
    return rule;
}

}  // namespace mpiaudit
