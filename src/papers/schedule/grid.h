// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "network/network.h"
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

/// The network as the ranks of a job see it.
struct Grid {
    Network network;  ///< between the ranks
    Pool pools;       ///< of ranks
    Clusters sites;   ///< ranks by site (clusters_of the hosts of the job)
    Clusters hosts;   ///< ranks by host
};

/// `host_of_rank[r]` is the host of rank r in `network`.
Grid make_grid(const Network& network, std::span<const int> host_of_rank);

/// How an allgather is scheduled from a network.
enum class Strategy { min3, magpie, mpich_g2, mateescu, clustered_sa };

/// In the notation of the paper: Min3, MagPIe, MPICH_G2, Mateescu, ClusteredSA.
std::string_view name(Strategy strategy);

/// The schedule of an allgather of blocks of these sizes, one per rank. A function of its arguments
/// alone; of the strategies only ClusteredSA draws from `seed`.
AllgatherSchedule make_schedule(Strategy strategy, const Grid& grid, Ports ports,
                                std::span<const double> bytes, std::uint64_t seed = 1);

}  // namespace mpiaudit
