// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>

#include "timing/rounds.h"

namespace mpiaudit {

/// How the rounds before the measured ones went; the same on all ranks.
struct WarmUp {
    int rounds = 0;
    bool has_settled = false;  ///< false when a limit ended it, or when nobody looked
    double round_s = 0.0;      ///< seconds of the last rounds, each; 0 when there were none
};

/// Rounds in windows of five, 25 of them or 5 ms, until the median of a window is no longer clearly
/// below that of the window before: connections are set up, pages touched and caches filled by
/// then. Ends after 50 rounds or when another window would pass the limit of seconds; where one
/// round tells that not even a window fits, after the rounds that do. None without time.
/// Collective.
WarmUp warm_up_until_settled(Rounds& rounds, std::span<const int> active, MPI_Comm comm,
                             double limit_s);

/// A fixed number of rounds, fewer when the first of them tells that they would pass the limit.
/// None without time. Collective.
WarmUp warm_up_for(Rounds& rounds, std::span<const int> active, MPI_Comm comm, int number,
                   double limit_s);

/// Whether the last window of rounds is as fast as warm-up makes them, for windows of equal length
/// in a row of durations. Its median is at least 95 % of the one before: rises are noise.
bool has_settled(std::span<const double> durations_s, std::size_t window);

}  // namespace mpiaudit
