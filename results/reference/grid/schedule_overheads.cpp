// SPDX-License-Identifier: BSD-3-Clause
// What Min3 costs before the first message, step by step as in Table 3 of Gupta and Vadhiyar, An
// Efficient MPI_Allgather for Grids, HPDC 2007, for its three set-ups: one process, no MPI.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <iostream>
#include <numeric>
#include <sstream>
#include <vector>

#include "network/network.h"
#include "schedule/broadcast_trees.h"
#include "schedule/grid.h"

namespace {

using namespace mpiaudit;
using Clock = std::chrono::steady_clock;

constexpr int repetitions = 1001;
constexpr double bytes_of_block = 64.0 * 1024;

struct Setup {
    const char* name;
    int first_host, last_host;
    std::array<double, 5> paper_us;  ///< sort, thres, pools, sched, total
};
constexpr std::array setups{
    Setup{"1: all sites, 20 hosts", 0, 19, {326.86, 15.71, 392.29, 282270, 283010}},
    Setup{"2: European sites, 12 hosts", 8, 19, {50.7, 9.3, 85.8, 166780, 166920}},
    Setup{"3: Netherlands, 8 hosts", 12, 19, {36.75, 9, 19.25, 108930, 108990}}};

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// The medians of the four steps and of their sum, in microseconds.
std::array<double, 5> measure(const Network& network) {
    const std::vector<double> bytes(static_cast<std::size_t>(network.size()), bytes_of_block);
    std::array<std::vector<double>, 5> all_us;
    for (int i = 0; i < repetitions; ++i) {
        std::array<Clock::time_point, 5> ends{Clock::now()};
        const std::vector<double> sorted = sorted_bandwidths(network);
        ends[1] = Clock::now();
        const std::vector<double> thresholds = bandwidth_thresholds(sorted);
        ends[2] = Clock::now();
        const Pool root = make_pool_tree(network, thresholds);
        ends[3] = Clock::now();
        const AllgatherSchedule made = min3_schedule(network, root, Ports::full_duplex, bytes);
        ends[4] = Clock::now();
        for (std::size_t step = 0; step < 4; ++step)
            all_us[step].push_back(
                std::chrono::duration<double, std::micro>(ends[step + 1] - ends[step]).count());
        all_us[4].push_back(std::chrono::duration<double, std::micro>(ends[4] - ends[0]).count());
    }
    std::array<double, 5> medians{};
    std::ranges::transform(all_us, medians.begin(), median);
    return medians;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "Usage: schedule_overheads networks/three-sites.json\n";
        return 2;
    }
    std::ostringstream text;
    text << std::ifstream(argv[1]).rdbuf();
    const Network network = parse_network(text.str(), argv[1]);
    fmt::print("Microseconds, medians of {} (the paper's)\n\n", repetitions);
    fmt::print("| set-up | sort | thres | pools | sched | total |\n|---|--:|--:|--:|--:|--:|\n");
    for (const Setup& setup : setups) {
        std::vector<int> hosts(static_cast<std::size_t>(setup.last_host - setup.first_host + 1));
        std::iota(hosts.begin(), hosts.end(), setup.first_host);
        const std::array<double, 5> medians_us = measure(make_grid(network, hosts).network);
        fmt::print("| {} |", setup.name);
        for (std::size_t step = 0; step < medians_us.size(); ++step)
            fmt::print(" {:.2f} ({}) |", medians_us[step], setup.paper_us[step]);
        fmt::print("\n");
    }
}
