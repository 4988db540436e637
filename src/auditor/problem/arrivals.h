// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpiaudit {

/// When ranks come to a call (process arrival pattern): a formula of microseconds after the agreed
/// start, as in distributions, with i, p, root, and
///     t     the collective's own time: what the contestants of the problem take in the median when
///           all ranks come at once, so that all of them meet the same delays
///     u     uniform in [0, 1), drawn anew for every rank and round, alike for all contestants
///     host  number of the rank's host, of `hosts`
struct ArrivalPattern {
    std::string formula;
    std::vector<int> host_of_rank;
    int hosts = 1;
};

/// --arrivals
struct Arrivals {
    std::string formula;
    bool are_together = false;  ///< no delays
    /// The formula of that name, or the text itself, checked on some ranks of as many hosts. Throws
    /// std::invalid_argument, also for delays that are negative or not finite there.
    static Arrivals read(const std::string& text);
};

/// What this rank waits in some rounds after the agreed start, in seconds, from 0 to 1.
/// \param own_s the collective's own time
std::vector<double> arrival_delays(const ArrivalPattern& pattern, int rank, int root, double own_s,
                                   std::uint64_t seed, int first_round, int rounds);

}  // namespace mpiaudit
