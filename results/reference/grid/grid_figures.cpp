// SPDX-License-Identifier: BSD-3-Clause
// Figures 8 to 11 of Gupta & Vadhiyar (HPDC 2007) in the model: what all strategies take on the
// grid of three sites, replayed with equations 1 to 3. No MPI; described in docs/grid-allgather.md.
#include <fmt/format.h>

#include <bit>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "network/network.h"
#include "schedule/grid.h"
#include "schedule/replay.h"
#include "tests/comparator_schedules.h"

namespace {

using namespace mpiaudit;

struct Setup {
    const char* figure;
    const char* name;
    std::vector<int> hosts;
    Ports ports;
};

struct Contestant {
    std::string name;
    AllgatherSchedule schedule;
};

std::vector<int> range(int first, int last) {
    std::vector<int> hosts;
    for (int host = first; host <= last; ++host) hosts.push_back(host);
    return hosts;
}

/// Section 2: recursive doubling for short and dissemination for other numbers of processes, ring
/// for long vectors; the limits are those of MPICH.
AllgatherSchedule mpich(int hosts, double bytes) {
    if (hosts * bytes >= 512 * 1024) return ring_schedule(hosts);
    if (std::has_single_bit(static_cast<unsigned>(hosts)))
        return recursive_doubling_schedule(hosts);
    return dissemination_schedule(hosts);
}

std::vector<Contestant> contestants(const Setup& setup, const Grid& grid,
                                    const std::vector<double>& bytes) {
    std::vector<Contestant> all;
    for (const Strategy strategy : {Strategy::min3, Strategy::mateescu, Strategy::clustered_sa,
                                    Strategy::magpie, Strategy::mpich_g2}) {
        // "Defined only for grids", section 6.3.
        const bool needs_sites = strategy == Strategy::magpie || strategy == Strategy::mpich_g2;
        if (needs_sites && grid.sites.size() == 1) continue;
        all.push_back(
            {std::string(name(strategy)), make_schedule(strategy, grid, setup.ports, bytes)});
    }
    if (setup.hosts.size() < 20) {
        all.push_back({"MPICH", mpich(grid.network.size(), bytes.front())});
        all.push_back({"SpreadingSimple", spreading_simple_schedule(grid.network.size())});
    }
    return all;
}

bool is_wide_area(const Grid& grid, const ScheduledMessage& message) {
    const auto site = [&](int host) {
        return grid.network.site_of_host[static_cast<std::size_t>(host)];
    };
    return site(message.source) != site(message.destination);
}

/// When the number of wide-area messages under way changes, and to what.
std::map<double, int> wide_area_messages(const AllgatherSchedule& schedule, const Grid& grid,
                                         const Replay& replayed) {
    std::map<double, int> changes;
    for (std::size_t i = 0; i < schedule.messages.size(); ++i) {
        if (!is_wide_area(grid, schedule.messages[i])) continue;
        ++changes[replayed.intervals[i].start_s];
        --changes[replayed.intervals[i].end_s];
    }
    int under_way = 0;
    for (auto& [time_s, number] : changes) number = under_way += number;
    return changes;
}

void print_figure_9(const Contestant& each, const Grid& grid, const Replay& replayed,
                    double bytes) {
    if (each.name != "Min3" && each.name != "Mateescu" && each.name != "MagPIe") return;
    for (const auto& [time_s, number] : wide_area_messages(each.schedule, grid, replayed))
        fmt::print("9,complete grid,full,{},{},{:.6f},{}\n", bytes, each.name, time_s, number);
}

/// One line for each strategy and size; of the complete grid also the messages of Figure 9.
void print(const Setup& setup, const Network& network) {
    const Grid grid = make_grid(network, setup.hosts);
    for (double bytes = 1024; bytes <= 512 * 1024; bytes *= 2) {
        const std::vector<double> all(setup.hosts.size(), bytes);
        for (const Contestant& each : contestants(setup, grid, all)) {
            const Replay replayed = replay(each.schedule, grid.network, setup.ports, all);
            int wide_area = 0;
            for (const ScheduledMessage& message : each.schedule.messages)
                wide_area += is_wide_area(grid, message);
            fmt::print("{},{},{},{},{},{:.6f},{}\n", setup.figure, setup.name,
                       setup.ports == Ports::full_duplex ? "full" : "half", bytes, each.name,
                       replayed.end_s, wide_area);
            const bool has_figure_9 = setup.figure == std::string("8b") && bytes >= 256 * 1024;
            if (has_figure_9) print_figure_9(each, grid, replayed, bytes);
        }
    }
}

/// os(m) = share m / bandwidth and g(m) = m / bandwidth.
void set_send_overheads(Network& network, double share) {
    network.overheads.clear();
    for (const double bytes : {0.0, 1024.0 * 1024.0}) {
        MessageOverheads made{bytes, PairMatrix(network.size()), PairMatrix(network.size())};
        for (int from = 0; from < network.size(); ++from) {
            for (int to = 0; to < network.size(); ++to) {
                made.gap_s(from, to) = bytes / network.bandwidth_bytes_per_s(from, to);
                made.send_s(from, to) = share * made.gap_s(from, to);
            }
        }
        network.overheads.push_back(std::move(made));
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2 && argc != 3) {
        std::cerr << "Usage: grid_figures networks/three-sites.json [SHARE] > figures.csv\n"
                     "SHARE: a sender is busy only for this share of m / bandwidth\n";
        return 2;
    }
    std::ostringstream text;
    text << std::ifstream(argv[1]).rdbuf();
    Network network = parse_network(text.str(), argv[1]);
    if (argc == 3) set_send_overheads(network, std::stod(argv[2]));
    fmt::print("figure,setup,ports,bytes,strategy,time_s,wide_area_messages\n");
    for (const Setup& setup :
         {Setup{"8a", "complete grid", range(0, 19), Ports::half_duplex},
          Setup{"8b", "complete grid", range(0, 19), Ports::full_duplex},
          Setup{"10", "European sites", range(8, 19), Ports::full_duplex},
          Setup{"11", "Netherlands cluster", range(12, 19), Ports::full_duplex}})
        print(setup, network);
}
