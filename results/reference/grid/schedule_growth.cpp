// SPDX-License-Identifier: BSD-3-Clause
// How the time and the memory of Min3 schedules grow with the hosts: one process, no MPI.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <random>
#include <string>

#include "schedule/broadcast_trees.h"
#include "schedule/grid.h"

namespace {

using namespace mpiaudit;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Sites of twenty hosts, like the grid of the paper in its speeds, with bandwidths that scatter by
/// 4 % as measured ones do.
Network made_up_network(int hosts) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> scatter(0.96, 1.04);
    Network network;
    network.hosts.resize(static_cast<std::size_t>(hosts), "host");
    network.latency_s = PairMatrix(hosts);
    network.bandwidth_bytes_per_s = PairMatrix(hosts);
    for (int from = 0; from < hosts; ++from) {
        for (int to = 0; to < hosts; ++to) {
            const bool is_local = from / 20 == to / 20;
            network.latency_s(from, to) = (is_local ? 60e-6 : 0.05) * scatter(random);
            network.bandwidth_bytes_per_s(from, to) = (is_local ? 11e6 : 160e3) * scatter(random);
        }
    }
    return network;
}

Network one_pool(int hosts) {
    Network network = made_up_network(20);
    return between_ranks(network, std::vector<int>(static_cast<std::size_t>(hosts), 0));
}

double peak_GiB() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024 / 1024;
}

void measure(const std::string& kind, const Network& network) {
    const std::vector<double> bytes(static_cast<std::size_t>(network.size()), 64.0 * 1024);
    auto start = Clock::now();
    const Pool root = make_pool_tree(network);
    const double pools_s = seconds_since(start);
    start = Clock::now();
    const AllgatherSchedule schedule = min3_schedule(network, root, Ports::full_duplex, bytes);
    const double schedule_s = seconds_since(start);
    std::printf("%-10s %6d %10zu %12.3f %12.3f %10.3f\n", kind.c_str(), network.size(),
                schedule.messages.size(), 1e3 * pools_s, 1e3 * schedule_s, peak_GiB());
    std::fflush(stdout);
}

}  // namespace

int main() {
    std::printf("%-10s %6s %10s %12s %12s %10s\n", "network", "hosts", "messages", "pools ms",
                "schedule ms", "peak GiB");
    for (const int hosts : {10, 20, 50, 100, 200, 500, 1000}) {
        measure("sites", made_up_network(hosts));
        measure("one pool", one_pool(hosts));
    }
}
