// SPDX-License-Identifier: BSD-3-Clause
#include "network/network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "text/exit_code.h"

namespace mpiaudit {
namespace {

/// Returns os(m) or g(m) in seconds, by linear interpolation between measured sizes.
double overhead_s(const Network& network, PairMatrix MessageOverheads::*of, double bytes, int from,
                  int to) {
    const std::vector<MessageOverheads>& measured = network.overheads;
    if (measured.empty()) return bytes / network.bandwidth_bytes_per_s(from, to);
    if (measured.size() == 1) return (measured.front().*of)(from, to);
    auto right = std::ranges::lower_bound(measured, bytes, {}, &MessageOverheads::bytes);
    right = std::clamp(right, measured.begin() + 1, measured.end() - 1);
    const auto left = right - 1;
    const double least_s = ((*left).*of)(from, to), most_s = ((*right).*of)(from, to);
    return std::max(
        0.0, least_s + (bytes - left->bytes) * (most_s - least_s) / (right->bytes - left->bytes));
}

PairMatrix between_ranks(const PairMatrix& hosts, std::span<const int> host_of_rank) {
    PairMatrix ranks(static_cast<int>(host_of_rank.size()));
    for (int from = 0; from < ranks.size(); ++from) {
        for (int to = 0; to < ranks.size(); ++to)
            ranks(from, to) = hosts(host_of_rank[index(from)], host_of_rank[index(to)]);
    }
    return ranks;
}

/// Returns the names as a list, at most twenty of them.
template <class Range>
std::string listed(const Range& names) {
    constexpr std::size_t most = 20;
    std::vector<std::string> shown;
    for (const auto& name : names) {
        if (shown.size() == most) {
            shown.push_back(fmt::format("and {} more", names.size() - most));
            break;
        }
        shown.push_back(name);
    }
    return fmt::format("{}", fmt::join(shown, ", "));
}

}  // namespace

double Network::send_overhead_s(double bytes, int from, int to) const {
    return overhead_s(*this, &MessageOverheads::send_s, bytes, from, to);
}

double Network::gap_s(double bytes, int from, int to) const {
    return overhead_s(*this, &MessageOverheads::gap_s, bytes, from, to);
}

Network between_ranks(const Network& network, std::span<const int> host_of_rank) {
    Network ranks;
    ranks.ports = network.ports;
    ranks.placement = network.placement;
    ranks.sites = network.sites;
    for (const int host : host_of_rank) {
        ranks.hosts.push_back(network.hosts[index(host)]);
        if (!network.sites.empty()) ranks.site_of_host.push_back(network.site_of_host[index(host)]);
    }
    ranks.latency_s = between_ranks(network.latency_s, host_of_rank);
    ranks.bandwidth_bytes_per_s = between_ranks(network.bandwidth_bytes_per_s, host_of_rank);
    for (const MessageOverheads& each : network.overheads)
        ranks.overheads.push_back({each.bytes, between_ranks(each.send_s, host_of_rank),
                                   between_ranks(each.gap_s, host_of_rank)});
    return ranks;
}

std::vector<int> place_ranks(const Network& network, std::span<const std::string> processors,
                             const std::string& origin) {
    std::vector<int> host_of_rank;
    std::set<std::string> unknown;
    for (const std::string& processor : processors) {
        const auto rank = static_cast<int>(host_of_rank.size());
        if (network.placement == Placement::cyclic) {
            host_of_rank.push_back(rank % network.size());
            continue;
        }
        const auto found = std::ranges::find(network.hosts, processor);
        if (found == network.hosts.end()) unknown.insert(processor);
        host_of_rank.push_back(static_cast<int>(found - network.hosts.begin()));
    }
    if (!unknown.empty()) {
        const std::set<std::string> job(processors.begin(), processors.end());
        throw make_invalid_argument(
            "--network: {} does not describe the hosts of this job.\n  hosts of the job:     {}\n"
            "  hosts of the network: {}\nMeasure these with mpiaudit probe, or put "
            "\"placement\": \"cyclic\" into the file to let rank r stand for its host r mod {}",
            origin, listed(job), listed(network.hosts), network.size());
    }
    return host_of_rank;
}

namespace {

constexpr double group_range = 1.1;

// The average of values equal to the threshold may be slightly below it, by rounding.
constexpr double rounding = 1.0 - 1e-9;

class PoolFormation {
  public:
    PoolFormation(const Network& network, std::vector<double> thresholds)
        : thresholds_{std::move(thresholds)}, bandwidth_(network.size()) {
        for_each_link(network.size(), [&](int from, int to) {
            bandwidth_(from, to) =
                *std::ranges::lower_bound(thresholds_, network.bandwidth_bytes_per_s(from, to));
        });
    }

    /// Returns the pool of these hosts, which no threshold before `level` splits.
    Pool pool(std::vector<int> hosts, std::size_t level) const {
        Pool made{level == 0 ? 0.0 : thresholds_[level - 1], std::move(hosts), {}};
        for (; made.hosts.size() > 1 && level < thresholds_.size(); ++level) {
            std::vector<std::vector<int>> parts = split(made.hosts, thresholds_[level]);
            if (parts.size() == made.hosts.size()) break;
            if (parts.size() > 1) {
                for (auto& part : parts) made.pools.push_back(pool(std::move(part), level + 1));
                break;
            }
            made.threshold_bytes_per_s = thresholds_[level];
        }
        return made;
    }

  private:
    std::vector<std::vector<int>> split(std::vector<int> left, double threshold) const {
        std::vector<std::vector<int>> parts;
        while (!left.empty()) parts.push_back(take_pool(left, threshold));
        return parts;
    }

    /// Removes the hosts of one pool from `left` and returns them.
    std::vector<int> take_pool(std::vector<int>& left, double threshold) const {
        std::vector<int> pool{left.front()};
        left.erase(left.begin());
        std::vector<double> sums_of_left =
            to(pool.front(), left);  // from each host to the whole pool
        std::vector<double> sums_of_pool{0.0};
        while (!left.empty()) {
            const auto best = std::ranges::max_element(sums_of_left);
            const auto place = best - sums_of_left.begin();
            const int host = *(left.begin() + place);
            const double needed = threshold * rounding * static_cast<double>(pool.size());
            if (*best < needed || !may_join(host, pool, sums_of_pool, needed)) break;
            for (std::size_t i = 0; i < pool.size(); ++i)
                sums_of_pool[i] += bandwidth_(pool[i], host);
            sums_of_pool.push_back(*best);
            pool.push_back(host);
            left.erase(left.begin() + place);
            sums_of_left.erase(best);
            for (std::size_t i = 0; i < left.size(); ++i)
                sums_of_left[i] += bandwidth_(left[i], host);
        }
        std::ranges::sort(pool);
        return pool;
    }

    std::vector<double> to(int host, const std::vector<int>& from) const {
        std::vector<double> bandwidths;
        for (const int each : from) bandwidths.push_back(bandwidth_(each, host));
        return bandwidths;
    }

    /// Returns whether the bandwidths of every member add up to `needed` with one more host.
    bool may_join(int host, const std::vector<int>& pool, const std::vector<double>& sums,
                  double needed) const {
        for (std::size_t i = 0; i < pool.size(); ++i) {
            if (sums[i] + bandwidth_(pool[i], host) < needed) return false;
        }
        return true;
    }

    std::vector<double> thresholds_;
    PairMatrix bandwidth_;  ///< fastest link of the group of each link
};

}  // namespace

std::vector<std::vector<int>> Pool::parts() const {
    std::vector<std::vector<int>> all;
    for (const Pool& each : pools) all.push_back(each.hosts);
    if (pools.empty()) {
        for (const int host : hosts) all.push_back({host});
    }
    return all;
}

std::vector<int> all_hosts(const Network& network) {
    std::vector<int> hosts(index(network.size()));
    std::iota(hosts.begin(), hosts.end(), 0);
    return hosts;
}

std::vector<double> sorted_bandwidths(const Network& network) {
    std::vector<double> sorted;
    for_each_link(network.size(), [&](int from, int to) {
        sorted.push_back(network.bandwidth_bytes_per_s(from, to));
    });
    std::ranges::sort(sorted);
    return sorted;
}

std::vector<double> bandwidth_thresholds(const std::vector<double>& sorted) {
    std::vector<double> thresholds;
    double first = 0.0;
    for (const double bandwidth : sorted) {
        if (thresholds.empty() || bandwidth > first * group_range) {
            first = bandwidth;
            thresholds.push_back(bandwidth);
        }
        thresholds.back() = bandwidth;
    }
    return thresholds;
}

Pool make_pool_tree(const Network& network) {
    return make_pool_tree(network, bandwidth_thresholds(sorted_bandwidths(network)));
}

Pool make_pool_tree(const Network& network, std::vector<double> thresholds) {
    return PoolFormation(network, std::move(thresholds)).pool(all_hosts(network), 0);
}

}  // namespace mpiaudit
