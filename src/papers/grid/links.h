// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "network/network.h"
#include "timing/clock.h"

namespace mpiaudit {

/// How the links between the processes of a communicator are measured.
struct LinkProtocol {
    Clock clock;
    int rounds;                       ///< in each, every pair is measured once
    std::vector<double> sizes_bytes;  ///< for os(m) and g(m), ascending; may be empty
    double largest_bytes;             ///< of the messages for the bandwidth
    std::uint64_t seed;               ///< of the order of the pairs
};

/// A message that was timed until its answer came back.
struct Transfer {
    double bytes;
    double seconds;
};

struct Rate {
    double bytes_per_s;
    /// Half the width of its 95 % interval; negative where the messages do not show that longer
    /// ones take longer: then the rate is that of the largest one, round trip included, and at most
    /// too low.
    double uncertainty_bytes_per_s;
};

/// The rate at which messages of several sizes take longer the larger they are, by least squares in
/// each round and the median over the rounds: what they all have in common, round trips and
/// hand-shakes, is not in it. \param rounds at least one, with the same sizes in each
Rate rate_of(std::span<const std::vector<Transfer>> rounds);

/// The pairs of n processes in n - 1 matches (n for odd n) in which every process meets one other
/// at most: partner of `process` in `match`, or -1. The circle method of round-robin tournaments.
int partner_in_match(int process, int match, int processes);
int matches_of(int processes);

/// Latency, bandwidth, os(m) and g(m) of all ordered pairs, the medians over the rounds; on process
/// 0, elsewhere empty matrices. Only the numbers of the network are filled. Collective.
///
/// Pairs that meet in the same match share no process, and no two matches overlap. A sender times
/// what comes back to it: the latency is half the round trip of one byte, so it is the same in both
/// directions but for noise; what a message takes beyond a round trip belongs to its direction. The
/// bandwidth is that of rate_of(), for sizes that take long enough over a connection that has been
/// sped up by a message of the largest of them.
Network measure_links(MPI_Comm comm, const LinkProtocol& protocol);

}  // namespace mpiaudit
