// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace mpiaudit::judge {

// Tosses of a fair coin, in closed forms: general beta functions would take a twentieth of the time
// in which mpiaudit is compiled.

/// Returns ln of the probability of exactly `wins` wins in `tosses` tosses. The absolute error is
/// below 1e-12, the relative error too if the logarithm is large. \param wins in 0 ... tosses
double log_probability_of_wins(double tosses, double wins);

/// Returns the probability of at most `wins` wins, relative to the probability of exactly `wins`
/// wins. \param wins in 0 ... tosses / 2
double at_most_to_exactly(double tosses, double wins);

}  // namespace mpiaudit::judge
