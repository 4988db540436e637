// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "network/network.h"
#include "timing/clock.h"

namespace mpiaudit {

/// Protocol for measuring the links between the processes of a communicator.
struct LinkProtocol {
    Clock clock;
    int rounds;                       ///< each pair is measured once in a round
    std::vector<double> sizes_bytes;  ///< for os(m) and g(m), ascending; may be empty
    double largest_bytes;             ///< limit for bandwidth messages
    std::uint64_t seed;               ///< of the order of the pairs
};

/// A message that was timed until its answer arrived.
struct Transfer {
    double bytes;
    double seconds;
};

struct Rate {
    double bytes_per_s;
    /// Half the width of the 95 % interval of the rate. Negative if longer messages did not take
    /// longer: then the rate is that of the largest message, round trip included, which is a lower
    /// bound.
    double uncertainty_bytes_per_s;
};

/// Returns the rate at which larger messages take longer: least squares in each round, and the
/// median over the rounds. Times that all sizes share, such as round trips and hand-shakes, do not
/// matter.
/// \param rounds at least one; equal sizes in each
Rate rate_of(std::span<const std::vector<Transfer>> rounds);

/// Returns the partner of `process` in `match`, or -1 if it pauses. n processes form pairs in n - 1
/// matches (n if odd), so that each process meets each other once: the circle method of round-robin
/// tournaments.
int partner_in_match(int process, int match, int processes);
/// Returns the number of matches in which each process meets each other once.
int matches_of(int processes);

/// Measures latency, bandwidth, os(m) and g(m) of all ordered pairs, as medians over the rounds.
/// Returns these matrices on process 0, and empty ones elsewhere. Collective.
///
/// The pairs of a match share no process, and matches do not overlap. A sender measures the time
/// until an answer: the latency is half the round trip of one byte, and so equal in both directions
/// but for noise; the time beyond a round trip belongs to the direction of the message. The
/// bandwidth is that of rate_of(), for sizes that take long enough, after a message of the largest
/// size has sped up the connection.
Network measure_links(MPI_Comm comm, const LinkProtocol& protocol);

}  // namespace mpiaudit
