// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "network/network.h"

namespace mpiaudit::test {

/// Hosts in LANs in sites, every level about ten times slower than the one within, all links
/// asymmetric. With `has_ties` only a few different numbers, so that many messages end together.
inline Network random_network(int hosts, bool has_ties, bool has_overheads, std::mt19937& random) {
    std::uniform_int_distribution<int> lan(0, 2);
    std::uniform_real_distribution<double> factor(0.7, 1.4);
    std::vector<int> site, lan_of_host;
    Network network;
    for (int host = 0; host < hosts; ++host) {
        network.hosts.push_back("host" + std::to_string(host));
        site.push_back(lan(random) % 2);
        lan_of_host.push_back(lan(random));
    }
    network.latency_s = network.bandwidth_bytes_per_s = PairMatrix(hosts);
    MessageOverheads small{1.0, PairMatrix(hosts), PairMatrix(hosts)};
    MessageOverheads large{1000.0, PairMatrix(hosts), PairMatrix(hosts)};
    for (int from = 0; from < hosts; ++from) {
        for (int to = 0; to < hosts; ++to) {
            const auto f = static_cast<std::size_t>(from), t = static_cast<std::size_t>(to);
            const int level = site[f] != site[t] ? 2 : lan_of_host[f] != lan_of_host[t] ? 1 : 0;
            const double slowness = std::pow(10.0, level) * (has_ties ? 1.0 : factor(random));
            network.latency_s(from, to) = slowness;
            network.bandwidth_bytes_per_s(from, to) = 1000.0 / slowness;
            small.send_s(from, to) = 0.01 * slowness;
            small.gap_s(from, to) = 0.02 * slowness;
            large.send_s(from, to) = 0.5 * slowness;
            large.gap_s(from, to) = slowness;
        }
    }
    if (has_overheads) network.overheads = {small, large};
    return network;
}

/// Block sizes in bytes, equal or not.
inline std::vector<double> random_bytes(int hosts, bool is_regular, std::mt19937& random) {
    std::uniform_int_distribution<int> size(0, 4);
    std::vector<double> bytes(static_cast<std::size_t>(hosts), 300.0);
    for (double& each : bytes) {
        if (!is_regular) each = 250.0 * size(random);
    }
    return bytes;
}

}  // namespace mpiaudit::test
