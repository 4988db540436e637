// SPDX-License-Identifier: BSD-3-Clause
#include "grid/job_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "audit/commands.h"
#include "catalogue/operation_arrows.h"
#include "collectives/call/blocks.h"
#include "files/files.h"
#include "files/shipped_files.h"
#include "machine/machine_description.h"
#include "mpi/texts.h"
#include "network/network.h"
#include "plan/inputs.h"

namespace mpiaudit {

std::unique_ptr<const RankNetwork> read_network(const std::string& name) {
    if (name.empty()) return nullptr;
    const std::vector<std::string> processors = processor_names();
    Grid grid;
    on_rank_0([&] {
        const InputTexts::File file = own_or_shipped_file("network", "network", "networks", name);
        const Network network = parse_network(file.text, file.origin);
        grid = make_grid(network, place_ranks(network, processors, name));
    });
    return std::make_unique<const JobNetwork>(std::move(grid));
}

std::vector<std::string> JobNetwork::warnings() const {
    if (grid.network.hosts.empty() || !grid.pools.pools.empty()) return {};
    return {fmt::format(
        "the network of --network has one pool: no group of ranks is nearer to each other than to "
        "the rest (bandwidths of {} groups), so Min3_Allgather saves nothing between sites",
        bandwidth_thresholds(sorted_bandwidths(grid.network)).size())};
}

void list_networks() {
    for (const std::string& name : shipped_names("networks")) {
        const std::string title =
            network_title(read_file(shipped_file("networks", name)), name + ".json");
        say_entry(fmt::format("{:<18} ", name), title);
    }
}

/// Takes the messages of this rank from the schedule. Each send waits for the receives that bring
/// its data.
ScheduledAllgather::ScheduledAllgather(const AllgatherSchedule& schedule, int rank) {
    // The index of the receive that brings each datum; -1 for the own datum.
    std::vector<int> came_with(index(schedule.hosts), -1);
    for (const ScheduledMessage& message : schedule.messages) {
        const auto data = schedule.data_of(message);
        if (message.destination == rank) {
            for (const int datum : data)
                came_with[index(datum)] = static_cast<int>(receives_.size());
            receives_.push_back({message.source, {data.begin(), data.end()}, {}});
        } else if (message.source == rank) {
            Part& made =
                sends_.emplace_back(Part{message.destination, {data.begin(), data.end()}, {}});
            for (const int datum : data) {
                const int receive = came_with[index(datum)];
                if (receive >= 0 && std::ranges::find(made.after, receive) == made.after.end())
                    made.after.push_back(receive);
            }
        }
    }
}

void ScheduledAllgather::run(const TypedBuffer& own, const Blocks& blocks,
                             const Ranks& ranks) const {
    if (own.address != MPI_IN_PLACE) copy_locally(own, blocks.message(ranks.rank), ranks);
    messages::Requests receives, sends;
    for (const Part& part : receives_) {
        // MPI keeps a datatype until its messages are complete, even if it is freed before.
        ranks.start_receive(receives, blocks.message(part.data), part.peer);
    }
    for (const Part& part : sends_) {
        for (const int receive : part.after) receives.wait(static_cast<std::size_t>(receive));
        ranks.start_send(sends, blocks.message(part.data), part.peer);
    }
    receives.wait_for_all();
    sends.wait_for_all();
}

namespace {

template <class T>
void broadcast(std::vector<T>& of_rank_0, MPI_Comm comm) {
    const std::string bytes = mpiaudit::broadcast(
        {reinterpret_cast<const char*>(of_rank_0.data()), of_rank_0.size() * sizeof(T)}, comm);
    of_rank_0.resize(bytes.size() / sizeof(T));
    // A single rank has no messages.
    if (!bytes.empty()) std::memcpy(of_rank_0.data(), bytes.data(), bytes.size());
}

/// Returns this rank's part of the schedule, which rank 0 makes for the block sizes of the problem.
std::shared_ptr<const ScheduledAllgather> scheduled(Strategy strategy, const Instance& instance,
                                                    bool padded) {
    const Problem& problem = instance.problem();
    AllgatherSchedule schedule;
    if (instance.rank() == 0) {
        std::vector<double> bytes;
        for (const Count count : problem.counts)
            bytes.push_back(static_cast<double>(padded ? problem.largest() : count) *
                            static_cast<double>(problem.element->data_bytes()));
        const Grid& grid = static_cast<const JobNetwork&>(*instance.network).grid;
        schedule = make_schedule(strategy, grid, grid.network.ports, bytes);
    }
    schedule.hosts = problem.ranks();
    broadcast(schedule.messages, instance.comm);
    broadcast(schedule.data, instance.comm);
    return std::make_shared<const ScheduledAllgather>(schedule, instance.rank());
}

/// Prepares an allgather by a schedule, which is computed now and not in the timed call.
template <Strategy strategy, bool is_irregular>
Step by_schedule(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int count = from.counts.front(), ranks = instance.problem().ranks();
    const Blocks blocks = is_irregular
                              ? Blocks::irregular(result.data, result.counts.data(),
                                                  result.displacements.data(), from.type, ranks)
                              : Blocks::equal(result.data, count, from.type, ranks);
    return {[=, schedule = scheduled(strategy, instance, to.padded), comm = instance.comm] {
                schedule->run({from.data, count, from.type}, blocks, Ranks{comm});
            },
            result};
}

/// Adds the regular and the irregular allgather of a strategy.
template <Strategy strategy>
void add(std::vector<Arrow>& arrows, const std::string& name, const char* says) {
    arrows.push_back(arrow_between_ends_of(parse_form(name + "_Allgather"), Kind::reference, says,
                                           by_schedule<strategy, false>, a_network));
    arrows.push_back(arrow_between_ends_of(parse_form(name + "_Allgatherv"), Kind::reference, says,
                                           by_schedule<strategy, true>, a_network));
}

}  // namespace

std::vector<Arrow> grid_arrows() {
    using enum Strategy;
    std::vector<Arrow> all;
    add<min3>(all, "Min3",
              "each block enters each pool of near ranks once, the message that arrives first "
              "next");
    add<magpie>(all, "MagPIe",
                "blocks are gathered at one rank per site, exchanged there and broadcast within "
                "the sites");
    add<mpich_g2>(all, "MPICH_G2",
                  "recursive doubling on hosts, within sites and between them, then broadcasts "
                  "down");
    add<mateescu>(all, "Mateescu",
                  "a tree of shortest paths for each block, the message that arrives first next");
    add<clustered_sa>(all, "ClusteredSA",
                      "a tree from simulated annealing for each block, the message that arrives "
                      "first next");
    return all;
}

}  // namespace mpiaudit
