// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "network/network.h"
#include "network/pools.h"
#include "schedule/schedule.h"

namespace mpiaudit {

/// Sets of hosts, each with the host that coordinates it in front.
using Clusters = std::vector<std::vector<int>>;

/// The sites of the network, or where it names none the pools without pools within. A host in no
/// such pool is a cluster of its own.
Clusters clusters_of(const Network& network, const Pool& root);

/// MagPIe (Kielmann et al. 1999, as Gupta & Vadhiyar 2007 describe it): every host sends its datum
/// to the coordinator of its cluster; the coordinators do spreading-simple allgather with what
/// their clusters have; each broadcasts all to its cluster in a binomial tree.
AllgatherSchedule magpie_schedule(int hosts, const Clusters& clusters);

/// MPICH-G2 (as Gupta & Vadhiyar 2007 describe it): on every level, from the lowest, the members of
/// each cluster do recursive doubling, and its coordinator goes up to the next level; then, from
/// the highest level down, the coordinators broadcast all to their clusters in binomial trees.
/// `levels` goes up: the clusters of a level consist of the coordinators of the one before. Where
/// the size of a cluster is not a power of two, the members beyond the largest power of two in it
/// send their data to a partner before the doubling and get all data from it afterwards.
AllgatherSchedule mpich_g2_schedule(int hosts, const std::vector<Clusters>& levels);

}  // namespace mpiaudit
