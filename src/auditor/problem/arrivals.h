// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpiaudit {

/// A process arrival pattern: a formula that gives the delay of a rank in microseconds after the
/// agreed start of a call. The formula has the variables i, p and root, as in distributions, and
///     t     median time of the collective when all ranks arrive together, over all contestants of
///           the problem, so that all contestants meet the same delays
///     u     uniform in [0, 1), drawn anew for every rank and round; equal for all contestants
///     host  number of the rank's host, from 0 to hosts - 1
struct ArrivalPattern {
    std::string formula;
    std::vector<int> host_of_rank;
    int hosts = 1;
};

/// The value of --arrivals.
struct Arrivals {
    std::string formula;
    bool are_together = false;  ///< no rank is delayed
    /// Reads the name of a pattern or a formula, and evaluates the formula on 8 ranks and hosts.
    /// Throws std::invalid_argument if the formula is malformed, or if a delay is negative or not
    /// finite.
    static Arrivals read(const std::string& text);
};

/// Returns the delays of this rank in `rounds` rounds, in seconds from 0 to 1.
/// \param own_s the variable t, in seconds
std::vector<double> arrival_delays(const ArrivalPattern& pattern, int rank, int root, double own_s,
                                   std::uint64_t seed, int first_round, int rounds);

}  // namespace mpiaudit
