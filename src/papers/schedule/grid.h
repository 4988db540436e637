// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "network/network.h"
#include "schedule/schedule.h"

namespace mpiaudit {

/// Sets of hosts; the first host of each set coordinates it.
using Clusters = std::vector<std::vector<int>>;

/// Returns the sites of the network, or without sites the innermost pools. A host outside of all
/// innermost pools is a cluster of its own.
Clusters clusters_of(const Network& network, const Pool& root);

/// MagPIe (Kielmann et al. 1999, as Gupta & Vadhiyar 2007 describe it): every host sends its datum
/// to the coordinator of its cluster; the coordinators exchange the data of their clusters by a
/// spreading-simple allgather; each broadcasts all data to its cluster in a binomial tree.
AllgatherSchedule magpie_schedule(int hosts, const Clusters& clusters);

/// MPICH-G2 (as Gupta & Vadhiyar 2007 describe it): on every level, from the lowest, the members of
/// each cluster do recursive doubling, and its coordinator goes up to the next level; then, from
/// the highest level down, the coordinators broadcast all data to their clusters in binomial trees.
/// If the size of a cluster is no power of two, the members beyond the largest power of two send
/// their data to a partner before the doubling and get all data from it afterwards.
/// \param levels from the lowest: clusters of a level consist of the coordinators of the level
/// below
AllgatherSchedule mpich_g2_schedule(int hosts, const std::vector<Clusters>& levels);

/// The network between the ranks of a job.
struct Grid {
    Network network;  ///< between the ranks
    Pool pools;       ///< of ranks
    Clusters sites;   ///< ranks by site (clusters_of the hosts of the job)
    Clusters hosts;   ///< ranks by host
};

/// `host_of_rank[r]` is the host of rank r in `network`.
Grid make_grid(const Network& network, std::span<const int> host_of_rank);

/// Strategies for scheduling an allgather on a network.
enum class Strategy { min3, magpie, mpich_g2, mateescu, clustered_sa };

/// Returns the name in the notation of the paper: Min3, MagPIe, MPICH_G2, Mateescu, ClusteredSA.
std::string_view name(Strategy strategy);

/// Returns the schedule of an allgather of blocks of these sizes, one per rank. Equal arguments
/// give equal schedules; only ClusteredSA uses `seed`.
AllgatherSchedule make_schedule(Strategy strategy, const Grid& grid, Ports ports,
                                std::span<const double> bytes, std::uint64_t seed = 1);

}  // namespace mpiaudit
