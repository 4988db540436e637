// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/network.h"
#include "schedule/schedule.h"

namespace mpiaudit {

/// The parent of every host; -1 for the root.
using BroadcastTree = std::vector<int>;

/// A tree in the manner of Mateescu (IPDPS 2005), "a generalization of the single source shortest
/// path algorithm": hosts join in the order in which they can be reached, as in Dijkstra's
/// algorithm, but a sender is busy os(m) with every message. (The port models do not differ here: a
/// host sends nothing before it has received its only message.)
BroadcastTree shortest_path_tree(const Network& network, double bytes, int root);

/// A tree in the manner of ClusteredSA (Gupta & Vadhiyar, IPDPS 2006): within every pool of the
/// pool tree, from the top, simulated annealing finds the tree over the parts of the pool and the
/// host that represents each part; the host that the datum comes from represents its own. The
/// energy is the time until all parts have the datum. A step gives one part another parent, another
/// representative, or another place in the order of sending; the start is the shortest paths. The
/// tree is a function of the arguments alone.
BroadcastTree annealed_tree(const Network& network, const Pool& root_pool, double bytes, int root,
                            std::uint64_t seed);

/// Allgather from one broadcast tree per datum, tree i with root i (section 6.1 of the paper on
/// Min3-Allgather): of all messages along the trees whose source has the datum always the one that
/// arrives first.
AllgatherSchedule schedule_from_trees(const Network& network, Ports ports,
                                      std::span<const double> bytes,
                                      const std::vector<BroadcastTree>& trees);

/// Min3-Allgather (Gupta & Vadhiyar 2007, Figures 3 to 7): within the root pool every datum is sent
/// to one host of every pool that does not have it, always the message that arrives first; then
/// within each of these pools, and so on down to the hosts. `bytes[i]` is the size of datum i.
///
/// Of messages that arrive at the same time that one is taken which Figure 5's loops meet first: of
/// the lowest datum, then to the first part of the pool, then from the host that had the datum
/// first, then to the first host of the part. Memory: 8 bytes for each pair of hosts, and of host
/// and datum, five times, and 4 bytes once more.
AllgatherSchedule min3_schedule(const Network& network, const Pool& root, Ports ports,
                                std::span<const double> bytes);

}  // namespace mpiaudit
