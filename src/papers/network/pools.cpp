// SPDX-License-Identifier: BSD-3-Clause
#include "network/pools.h"

#include <algorithm>

namespace mpiaudit {
namespace {

constexpr double group_range = 1.1;

// Averages of numbers that are equal to the threshold may come out a rounding below it.
constexpr double rounding = 1.0 - 1e-9;

class PoolFormation {
  public:
    PoolFormation(const Network& network, std::vector<double> thresholds)
        : thresholds_{std::move(thresholds)}, bandwidth_(network.size()) {
        for (int from = 0; from < network.size(); ++from) {
            for (int to = 0; to < network.size(); ++to) {
                if (from != to)
                    bandwidth_(from, to) = *std::ranges::lower_bound(
                        thresholds_, network.bandwidth_bytes_per_s(from, to));
            }
        }
    }

    /// The pool of these hosts, which the thresholds before `level` do not split.
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

    /// Moves the hosts of one pool out of `left`.
    std::vector<int> take_pool(std::vector<int>& left, double threshold) const {
        std::vector<int> pool{left.front()};
        left.erase(left.begin());
        std::vector<double> sums_of_left = to(pool.front(), left);  // from each to the whole pool
        std::vector<double> sums_of_pool{0.0};
        while (!left.empty()) {
            const auto best = std::ranges::max_element(sums_of_left);
            const auto index = best - sums_of_left.begin();
            const int host = left[static_cast<std::size_t>(index)];
            const double needed = threshold * rounding * static_cast<double>(pool.size());
            if (*best < needed || !may_join(host, pool, sums_of_pool, needed)) break;
            for (std::size_t i = 0; i < pool.size(); ++i)
                sums_of_pool[i] += bandwidth_(pool[i], host);
            sums_of_pool.push_back(*best);
            pool.push_back(host);
            left.erase(left.begin() + index);
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

    /// Whether every member's bandwidths still sum up to `needed` with one more.
    bool may_join(int host, const std::vector<int>& pool, const std::vector<double>& sums,
                  double needed) const {
        for (std::size_t i = 0; i < pool.size(); ++i) {
            if (sums[i] + bandwidth_(pool[i], host) < needed) return false;
        }
        return true;
    }

    std::vector<double> thresholds_;
    PairMatrix bandwidth_;  ///< each that of the fastest link of its group
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

std::vector<double> sorted_bandwidths(const Network& network) {
    std::vector<double> sorted;
    for (int from = 0; from < network.size(); ++from) {
        for (int to = 0; to < network.size(); ++to) {
            if (from != to) sorted.push_back(network.bandwidth_bytes_per_s(from, to));
        }
    }
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
    std::vector<int> all(static_cast<std::size_t>(network.size()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    return PoolFormation(network, std::move(thresholds)).pool(std::move(all), 0);
}

}  // namespace mpiaudit
