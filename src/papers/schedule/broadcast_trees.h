// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/network.h"
#include "schedule/schedule.h"

namespace mpiaudit {

/// Parent of every host; -1 for the root.
using BroadcastTree = std::vector<int>;

/// Returns a tree in the manner of Mateescu (IPDPS 2005), "a generalization of the single source
/// shortest path algorithm": hosts join in the order in which they can be reached, as in Dijkstra's
/// algorithm, but a sender is busy os(m) with every message. (The port models do not differ here: a
/// host sends nothing before it has received its only message.)
BroadcastTree shortest_path_tree(const Network& network, double bytes, int root);

/// Returns a tree in the manner of ClusteredSA (Gupta & Vadhiyar, IPDPS 2006). Within every pool of
/// the pool tree, from the top, simulated annealing finds the tree over the parts of the pool and
/// the host that represents each part; the source of the datum represents its own part. The energy
/// is the time until all parts have the datum. A step gives one part another parent, another
/// representative, or another place in the order of sending; the start is the tree of shortest
/// paths. Equal arguments give equal trees.
BroadcastTree annealed_tree(const Network& network, const Pool& root_pool, double bytes, int root,
                            std::uint64_t seed);

/// Schedules an allgather from one broadcast tree per datum, tree i with root i (section 6.1 of the
/// paper on Min3-Allgather): the next message is always the one that arrives first among all
/// messages whose source has the datum.
AllgatherSchedule schedule_from_trees(const Network& network, Ports ports,
                                      std::span<const double> bytes,
                                      const std::vector<BroadcastTree>& trees);

/// Min3-Allgather (Gupta & Vadhiyar 2007, Figures 3 to 7): within the root pool every datum is sent
/// to one host of every pool that lacks it, always the message that arrives first; then within each
/// of these pools, and so on down to the hosts. `bytes[i]` is the size of datum i.
///
/// Among messages that arrive at the same time, the one that Figure 5's loops meet first is taken:
/// the lowest datum, then the first part of the pool, then the host that had the datum first, then
/// the first host of the part. Memory: 44 bytes for each pair of hosts (or host and datum).
AllgatherSchedule min3_schedule(const Network& network, const Pool& root, Ports ports,
                                std::span<const double> bytes);

}  // namespace mpiaudit
