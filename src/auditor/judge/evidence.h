// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace mpiaudit::judge {

/// ln E(n, s), the evidence of s wins in n rounds against "a win is no likelier than a loss", where
///
///     E(n, s) = integral over l in [0, 1] of (1 + l)^s (1 - l)^(n - s)
///             = 2^(n+1) B(s+1, n-s+1) [1 - I_1/2(s+1, n-s+1)].
///
/// It is the capital of a gambler who starts with 1 and spreads it evenly over all stakes l on a
/// win in each round. Against a coin that is fair or worse that capital is a supermartingale, so it
/// ever reaches 1/alpha with probability at most alpha (Ville, Etude critique de la notion de
/// collectif, 1939), however often one looks and whenever one stops. The product of the values of
/// independent experiments is such a capital again: their logarithms add.
///
/// Accurate to about 1e-12, relative where |ln E| > 1 and absolute elsewhere, for n up to 10^5.
/// \throws std::invalid_argument unless 0 <= s <= n
double log_e_value(int n, int s);

/// A fair coin that is the same in every judgement of the same data: bit 63 of output number
/// `round` of the generator splitmix64 (Steele, Lea, Flood, Fast Splittable Pseudorandom Number
/// Generators, 2014) started from the seed.
bool fair_coin(std::uint64_t seed, std::uint64_t round);

}  // namespace mpiaudit::judge
