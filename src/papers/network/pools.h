// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "network/network.h"

namespace mpiaudit {

/// A set of hosts such that the average bandwidth from each of them to the others is at least a
/// threshold (Gupta & Vadhiyar 2007, section 5.1).
struct Pool {
    double threshold_bytes_per_s = 0.0;
    std::vector<int> hosts;   ///< ascending
    std::vector<Pool> pools;  ///< the pools within; empty: the hosts by themselves

    /// The pools within, or else every host as a pool of its own.
    std::vector<std::vector<int>> parts() const;
};

/// The bandwidths between different hosts, ascending.
std::vector<double> sorted_bandwidths(const Network& network);
/// Cut into groups whose members are at most 10 % above the first; of each group the maximum.
/// Ascending.
std::vector<double> bandwidth_thresholds(const std::vector<double>& sorted);

/// The root pool, which has all hosts, with all pools within. The threshold of a pool is the
/// highest one that does not split it.
///
/// The paper does not say how a pool is formed. Here a link counts as much as the fastest of its
/// group, so that differences of less than 10 % split nothing; a pool starts with the first host
/// that is left, and takes in the host with the highest average bandwidth to the pool as long as
/// that average, and those of all members, reach the threshold.
Pool make_pool_tree(const Network& network);
/// With its bandwidth_thresholds(), where these are known.
Pool make_pool_tree(const Network& network, std::vector<double> thresholds);

}  // namespace mpiaudit
