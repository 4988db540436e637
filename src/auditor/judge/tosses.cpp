// SPDX-License-Identifier: BSD-3-Clause
#include "judge/tosses.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace mpiaudit::judge {
namespace {

/// Returns ln n! minus Stirling's formula ln(sqrt(2 pi n) (n / e)^n), for n >= 1.
double error_of_stirling(double n) {
    // From here on, the fifth term of the series is below 2e-14.
    constexpr double first_of_series = 16.0;
    if (n < first_of_series) {
        double factorial = 1.0;
        for (double i = 2.0; i <= n; ++i) factorial *= i;
        return std::log(factorial) - (n + 0.5) * std::log(n) + n -
               std::log(2.0 * std::numbers::pi) / 2.0;
    }
    const double square = n * n;
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 / square) / square) / square) / n;
}

}  // namespace

// Stirling's formula for the three factorials leaves terms that do not cancel (C. Loader, Fast and
// Accurate Computation of Binomial Probabilities, 2000).
double log_probability_of_wins(double tosses, double wins) {
    const double losses = tosses - wins;
    if (wins == 0.0 || losses == 0.0) return -tosses * std::numbers::ln2;
    const double excess = (wins - losses) / tosses;
    const double distance =
        tosses / 2.0 * ((1.0 + excess) * std::log1p(excess) + (1.0 - excess) * std::log1p(-excess));
    return error_of_stirling(tosses) - error_of_stirling(wins) - error_of_stirling(losses) -
           distance - std::log(2.0 * std::numbers::pi * wins * (losses / tosses)) / 2.0;
}

double at_most_to_exactly(double tosses, double wins) {
    // The terms C(tosses, j) / C(tosses, wins) fall from j = wins downwards.
    double term = 1.0;
    double sum = 1.0;
    for (double j = wins; j > 0.0 && term > sum * std::numeric_limits<double>::epsilon() / 4.0;
         --j) {
        term *= j / (tosses + 1.0 - j);
        sum += term;
    }
    return sum;
}

}  // namespace mpiaudit::judge
