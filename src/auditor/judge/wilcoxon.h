// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

namespace mpiaudit::judge {

/// The one-sided p-value of Wilcoxon's rank-sum test against "the left numbers are not larger than
/// the right ones": by the normal approximation with the corrections for ties and for continuity,
/// as R's wilcox.test(left, right, alternative = "greater", exact = FALSE), which PGMPI calls. 1
/// where all numbers are equal.
/// \throws std::invalid_argument when a side has no numbers
double rank_sum_p_value(std::span<const double> left, std::span<const double> right);

}  // namespace mpiaudit::judge
