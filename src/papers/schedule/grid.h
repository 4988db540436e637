// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "network/network.h"
#include "network/pools.h"
#include "schedule/hierarchical.h"
#include "schedule/schedule.h"

namespace mpiaudit {

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
