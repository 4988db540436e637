// SPDX-License-Identifier: BSD-3-Clause
#include "judge/verdict.h"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace mpiaudit::judge {
namespace {

/// Long doubles would take most of the time between two samples, for digits that nobody reads.
using InDoubles = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

/// E(n, s) for 2s <= n. The incomplete beta function with integer arguments is a binomial tail, so
/// E(n, s) = sum over j = 0..s of C(n+1, j) / ((n+1) C(n, s)). Summed from j = s downwards the
/// terms fall, and what underflows does not matter.
double minority_e_value(int n, int s) {
    double term = 1.0;
    double sum = 1.0;
    for (int j = s; j > 0 && term > sum * std::numeric_limits<double>::epsilon() / 4; --j) {
        term *= static_cast<double>(j) / (n + 2 - j);
        sum += term;
    }
    return sum / (n + 1 - s);
}

/// ln of 2^(n+1) B(s+1, n-s+1), the same integral over [-1, 1].
double log_two_sided_e_value(int n, int s) {
    const double a = s + 1.0;
    const double b = n - s + 1.0;
    // The density of the beta distribution at 1/2 is 2^-n / B(a, b). It is accurate where the
    // logarithms of three huge factorials would cancel, and underflows where they do not.
    const double density = boost::math::ibeta_derivative(a, b, 0.5, InDoubles());
    if (density >= std::numeric_limits<double>::min()) return std::log(2.0 / density);
    const auto log_gamma = [](double x) { return boost::math::lgamma(x, InDoubles()); };
    return (n + 1) * std::numbers::ln2 + log_gamma(a) + log_gamma(b) - log_gamma(a + b);
}

}  // namespace

double log_e_value(int n, int s) {
    if (s < 0 || s > n) throw std::invalid_argument("wins lie between 0 and the rounds");
    if (s <= n - s) return std::log(minority_e_value(n, s));
    // E(n, s) + E(n, n-s) is the integral over [-1, 1], and the second term is the smaller one.
    const double both = log_two_sided_e_value(n, s);
    return both + std::log1p(-minority_e_value(n, n - s) * std::exp(-both));
}

bool fair_coin(std::uint64_t seed, std::uint64_t round) {
    std::uint64_t z = seed + round * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    // The generator's last step, z ^= z >> 31, leaves bit 63 as it is.
    return (z >> 63) != 0;
}

}  // namespace mpiaudit::judge
