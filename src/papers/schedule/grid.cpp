// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/grid.h"

#include <algorithm>
#include <array>
#include <bit>

#include "schedule/broadcast_trees.h"

namespace mpiaudit {

namespace {

/// Builds a schedule in which senders know what receivers have: no host receives a datum twice, so
/// the messages of a host can be received in any order.
class Exchanges {
  public:
    explicit Exchanges(int hosts) : held_(index(hosts), DataSet(hosts)) {
        schedule_.hosts = hosts;
        for (int host = 0; host < hosts; ++host) held_[index(host)].add(host);
    }

    /// Returns the data that `source` has and `destination` lacks.
    std::vector<int> missing(int source, int destination) const {
        const DataSet &held = held_[index(source)], &lacking = held_[index(destination)];
        std::vector<int> data;
        for (int datum = held.first_not_in(lacking); datum >= 0;
             datum = held.first_not_in(lacking, datum + 1))
            data.push_back(datum);
        return data;
    }
    void send(int source, int destination, const std::vector<int>& data) {
        if (data.empty()) return;
        schedule_.add(source, destination, data);
        for (const int datum : data) held_[index(destination)].add(datum);
    }
    void send(int source, int destination) {
        send(source, destination, missing(source, destination));
    }
    /// Sends both ways at the same time.
    void exchange(int one, int other) {
        const std::vector<int> there = missing(one, other);
        const std::vector<int> back = missing(other, one);
        send(one, other, there);
        send(other, one, back);
    }
    /// Sends all data of the first member to the others in a binomial tree: members at distance
    /// 2^k.
    void broadcast(const std::vector<int>& members) {
        const std::size_t size = members.size();
        for (std::size_t distance = std::bit_ceil(size) / 2; distance > 0; distance /= 2) {
            for (std::size_t i = 0; i + distance < size; i += 2 * distance)
                send(members[i], members[i + distance]);
        }
    }
    void recursive_doubling(const std::vector<int>& members) {
        const std::size_t core = std::bit_floor(members.size());
        for (std::size_t i = core; i < members.size(); ++i) send(members[i], members[i - core]);
        for (std::size_t distance = 1; distance < core; distance *= 2) {
            for (std::size_t i = 0; i < core; ++i) {
                if ((i & distance) == 0) exchange(members[i], members[i + distance]);
            }
        }
        for (std::size_t i = core; i < members.size(); ++i) send(members[i - core], members[i]);
    }
    AllgatherSchedule take() { return std::move(schedule_); }

  private:
    AllgatherSchedule schedule_;
    std::vector<DataSet> held_;  ///< data of each host
};

}  // namespace

Clusters clusters_of(const Network& network, const Pool& root) {
    if (!network.sites.empty()) {
        Clusters clusters(network.sites.size());
        for (int host = 0; host < network.size(); ++host)
            clusters[index(network.site_of_host[index(host)])].push_back(host);
        std::erase_if(clusters, [](const auto& each) { return each.empty(); });
        return clusters;
    }
    if (root.pools.empty()) return {root.hosts};
    Clusters clusters;
    for (const Pool& each : root.pools) {
        for (auto& inner : clusters_of(network, each)) clusters.push_back(std::move(inner));
    }
    return clusters;
}

AllgatherSchedule magpie_schedule(int hosts, const Clusters& clusters) {
    Exchanges exchanges(hosts);
    for (const auto& cluster : clusters) {
        for (std::size_t i = 1; i < cluster.size(); ++i) exchanges.send(cluster[i], cluster[0]);
    }
    const std::size_t sites = clusters.size();
    for (std::size_t step = 1; step < sites; ++step) {
        for (std::size_t site = 0; site < sites; ++site)
            exchanges.send(clusters[site][0], clusters[(site + step) % sites][0], clusters[site]);
    }
    for (const auto& cluster : clusters) exchanges.broadcast(cluster);
    return exchanges.take();
}

AllgatherSchedule mpich_g2_schedule(int hosts, const std::vector<Clusters>& levels) {
    Exchanges exchanges(hosts);
    for (const Clusters& level : levels) {
        for (const auto& cluster : level) exchanges.recursive_doubling(cluster);
    }
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
        for (const auto& cluster : *level) exchanges.broadcast(cluster);
    }
    return exchanges.take();
}

namespace {

/// Returns the first ranks of the hosts, by site.
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

/// Returns a schedule from one tree per datum.
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
    std::vector<int> used;  // hosts in the order of their first ranks
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
