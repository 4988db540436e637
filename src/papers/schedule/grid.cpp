// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/grid.h"

#include <algorithm>
#include <array>

#include "schedule/broadcast_trees.h"
#include "schedule/schedule.h"

namespace mpiaudit {
namespace {

/// The first ranks of the hosts, by site.
Clusters coordinators_of_hosts(const Grid& grid) {
    Clusters made;
    for (const auto& site : grid.sites) {
        made.emplace_back();
        for (const auto& host : grid.hosts) {
            if (std::ranges::find(site, host.front()) != site.end())
                made.back().push_back(host.front());
        }
    }
    return made;
}

AllgatherSchedule mpich_g2(const Grid& grid) {
    std::vector<int> coordinators;
    for (const auto& site : grid.sites) coordinators.push_back(site.front());
    return mpich_g2_schedule(grid.network.size(),
                             {grid.hosts, coordinators_of_hosts(grid), {coordinators}});
}

/// One tree per datum.
template <class MakeTree>
AllgatherSchedule from_trees(const Grid& grid, Ports ports, std::span<const double> bytes,
                             MakeTree make_tree) {
    std::vector<BroadcastTree> trees;
    for (int root = 0; root < grid.network.size(); ++root)
        trees.push_back(make_tree(bytes[index(root)], root));
    return schedule_from_trees(grid.network, ports, bytes, trees);
}

}  // namespace

Grid make_grid(const Network& network, std::span<const int> host_of_rank) {
    std::vector<int> used;  // hosts, in the order of their first ranks
    Grid grid;
    for (std::size_t rank = 0; rank < host_of_rank.size(); ++rank) {
        const auto found = std::ranges::find(used, host_of_rank[rank]);
        const auto place = static_cast<std::size_t>(found - used.begin());
        if (found == used.end()) {
            used.push_back(host_of_rank[rank]);
            grid.hosts.emplace_back();
        }
        grid.hosts[place].push_back(static_cast<int>(rank));
    }
    // Ranks of one host are closer than any two hosts, and would be clusters of their own.
    const Network between_hosts = between_ranks(network, used);
    for (const auto& site : clusters_of(between_hosts, make_pool_tree(between_hosts))) {
        grid.sites.emplace_back();
        for (const int host : site) {
            const auto& ranks = grid.hosts[index(host)];
            grid.sites.back().insert(grid.sites.back().end(), ranks.begin(), ranks.end());
        }
        std::ranges::sort(grid.sites.back());
    }
    grid.network = between_ranks(network, host_of_rank);
    grid.pools = make_pool_tree(grid.network);
    return grid;
}

std::string_view name(Strategy strategy) {
    constexpr std::array<std::string_view, 5> names = {"Min3", "MagPIe", "MPICH_G2", "Mateescu",
                                                       "ClusteredSA"};
    return names[static_cast<std::size_t>(strategy)];
}

AllgatherSchedule make_schedule(Strategy strategy, const Grid& grid, Ports ports,
                                std::span<const double> bytes, std::uint64_t seed) {
    switch (strategy) {
        case Strategy::magpie:
            return magpie_schedule(grid.network.size(), grid.sites);
        case Strategy::mpich_g2:
            return mpich_g2(grid);
        case Strategy::mateescu:
            return from_trees(grid, ports, bytes, [&](double size, int root) {
                return shortest_path_tree(grid.network, size, root);
            });
        case Strategy::clustered_sa:
            return from_trees(grid, ports, bytes, [&](double size, int root) {
                return annealed_tree(grid.network, grid.pools, size, root, seed);
            });
        case Strategy::min3:
            break;
    }
    return min3_schedule(grid.network, grid.pools, ports, bytes);
}

}  // namespace mpiaudit
