// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "random_network.h"
#include "schedule/broadcast_trees.h"
#include "schedule/grid.h"
#include "schedule/replay.h"
#include "tests/comparator_schedules.h"

namespace mpiaudit::test {
namespace {

using testing::ElementsAre;

constexpr Strategy all_strategies[] = {Strategy::min3, Strategy::magpie, Strategy::mpich_g2,
                                       Strategy::mateescu, Strategy::clustered_sa};

/// Ranks on hosts in a random manner, several on some.
Grid random_grid(int ranks, std::mt19937& random) {
    const int hosts = 1 + static_cast<int>(random() % 9);
    const Network network = random_network(hosts, random() % 2 == 0, random() % 3 == 0, random);
    std::vector<int> host_of_rank;
    for (int rank = 0; rank < ranks; ++rank)
        host_of_rank.push_back(static_cast<int>(random() % static_cast<unsigned>(hosts)));
    return make_grid(network, host_of_rank);
}

/// Returns what keeps a schedule from being an allgather in which no host receives a datum twice: a
/// message from a host without the datum, a message to a host that has the datum, or a datum that
/// does not reach every host. Returns nothing if the schedule is right.
std::optional<std::string> flaw_of(const AllgatherSchedule& schedule) {
    std::vector<DataSet> held(static_cast<std::size_t>(schedule.hosts), DataSet(schedule.hosts));
    for (int host = 0; host < schedule.hosts; ++host)
        held[static_cast<std::size_t>(host)].add(host);
    std::size_t received = 0;
    for (const ScheduledMessage& message : schedule.messages) {
        for (const int datum : schedule.data_of(message)) {
            DataSet& destination = held[static_cast<std::size_t>(message.destination)];
            if (!held[static_cast<std::size_t>(message.source)].has(datum))
                return fmt::format("host {} sends datum {} before it has it", message.source,
                                   datum);
            if (destination.has(datum))
                return fmt::format("host {} gets datum {} twice", message.destination, datum);
            destination.add(datum);
            ++received;
        }
    }
    const auto hosts = static_cast<std::size_t>(schedule.hosts);
    if (received != hosts * (hosts - 1))
        return fmt::format("{} data are missing somewhere", hosts * (hosts - 1) - received);
    return std::nullopt;
}

/// Expects that a port never has two messages at once. A sender is busy for os(m), a receiver until
/// the message has arrived.
void expect_ports_respected(const AllgatherSchedule& schedule, const Grid& grid, Ports ports,
                            const std::vector<double>& bytes) {
    const Replay replayed = replay(schedule, grid.network, ports, bytes);
    std::vector<double> send_s(bytes.size(), 0.0), receive_s(bytes.size(), 0.0);
    for (std::size_t i = 0; i < schedule.messages.size(); ++i) {
        const ScheduledMessage& message = schedule.messages[i];
        const auto source = static_cast<std::size_t>(message.source);
        const auto destination = static_cast<std::size_t>(message.destination);
        const auto [start_s, end_s] = replayed.intervals[i];
        EXPECT_GE(start_s, send_s[source]);
        EXPECT_GE(start_s, receive_s[destination]);
        double all_bytes = 0.0;
        for (const int datum : schedule.data_of(message))
            all_bytes += bytes[static_cast<std::size_t>(datum)];
        send_s[source] =
            start_s + grid.network.send_overhead_s(all_bytes, message.source, message.destination);
        receive_s[destination] = end_s;
        if (ports == Ports::half_duplex) {
            receive_s[source] = send_s[source];
            send_s[destination] = end_s;
        }
    }
}

TEST(Strategies, AllOfThemAreAllgathersWithinTheModel) {
    std::mt19937 random(2007);
    for (int repetition = 0; repetition < 40; ++repetition) {
        const int ranks = 1 + repetition % 17;
        const Grid grid = random_grid(ranks, random);
        const std::vector<double> bytes = random_bytes(ranks, repetition % 2 == 0, random);
        const Ports ports = repetition % 3 == 0 ? Ports::half_duplex : Ports::full_duplex;
        for (const Strategy strategy : all_strategies) {
            const AllgatherSchedule schedule = make_schedule(strategy, grid, ports, bytes);
            EXPECT_EQ(flaw_of(schedule), std::nullopt) << name(strategy) << ", " << ranks;
            expect_ports_respected(schedule, grid, ports, bytes);
            if (schedule.predicted_s > 0.0) {
                EXPECT_DOUBLE_EQ(schedule.predicted_s,
                                 replay(schedule, grid.network, ports, bytes).end_s);
            }
        }
    }
}

TEST(Strategies, AlgorithmsWithoutANetworkAreAllgathersToo) {
    for (int hosts = 1; hosts <= 17; ++hosts) {
        EXPECT_EQ(flaw_of(spreading_simple_schedule(hosts)), std::nullopt);
        EXPECT_EQ(flaw_of(ring_schedule(hosts)), std::nullopt);
        EXPECT_EQ(flaw_of(recursive_doubling_schedule(hosts)), std::nullopt);
        EXPECT_EQ(flaw_of(dissemination_schedule(hosts)), std::nullopt);
    }
}

/// Hosts 0, 1 | 2, 3 | 4, 5: wide-area messages are those between different pairs.
int wide_area_messages(const AllgatherSchedule& schedule) {
    int count = 0;
    for (const ScheduledMessage& message : schedule.messages)
        count += message.source / 2 != message.destination / 2;
    return count;
}

TEST(Strategies, CoordinatorsSendTheDataOfTheirSitesInOneMessage) {
    const Clusters sites = {{0, 1}, {2, 3}, {4, 5}};
    EXPECT_EQ(wide_area_messages(magpie_schedule(6, sites)), 6);
    // Recursive doubling of three coordinators: 0 <-> 2 after 4 -> 0, then 0 -> 4.
    EXPECT_EQ(wide_area_messages(mpich_g2_schedule(6, {sites, {{0, 2, 4}}})), 4);
}

TEST(BroadcastTrees, ShortestPathsGoThroughTheFirstHostThatIsReached) {
    // Far from host 0 to hosts 1 and 2, which are near each other.
    Network network;
    network.hosts = {"0", "1", "2"};
    network.latency_s = PairMatrix(3, 10.0);
    network.latency_s(1, 2) = network.latency_s(2, 1) = 1.0;
    network.bandwidth_bytes_per_s = PairMatrix(3, 1.0);
    EXPECT_THAT(shortest_path_tree(network, 5.0, 0), ElementsAre(-1, 0, 0));
    // The second message waits while the root is busy with the first, so host 1 is quicker.
    network.overheads = {{1.0, PairMatrix(3, 12.0), PairMatrix(3)}};
    EXPECT_THAT(shortest_path_tree(network, 5.0, 0), ElementsAre(-1, 0, 1));
}

// Gupta, Vadhiyar 2007, Figure 1: a cluster broadcasts two data, each message takes one unit.
TEST(BroadcastTrees, TwoOfThemAreFasterThanOneForTwoData) {
    Network network;
    network.hosts = {"0", "1", "2", "3"};
    network.latency_s = PairMatrix(4, 0.0);
    network.bandwidth_bytes_per_s = PairMatrix(4, 1.0);
    const std::vector<double> bytes(4, 1.0);
    AllgatherSchedule one_tree;
    one_tree.hosts = 4;
    for (const int datum : {0, 3}) {
        one_tree.add(0, 1, datum);
        one_tree.add(0, 2, datum);
        one_tree.add(1, 3, datum);
    }
    EXPECT_EQ(replay(one_tree, network, Ports::full_duplex, bytes).end_s, 4.0);
    const BroadcastTree none(4, -1);
    const std::vector<BroadcastTree> trees = {{-1, 0, 0, 1}, none, none, {2, 3, 3, -1}};
    const auto end_s = [&](Ports ports) {
        return schedule_from_trees(network, ports, bytes, trees).predicted_s;
    };
    EXPECT_EQ(end_s(Ports::full_duplex), 2.0);
    EXPECT_GT(end_s(Ports::half_duplex), 2.0);
}

/// The end of a broadcast along a tree below a host that starts sending at `start_s`, with the best
/// order of sending.
double best_end_s(const Network& network, const BroadcastTree& tree, double bytes, int host,
                  double start_s) {
    std::vector<int> children;
    for (int child = 0; child < network.size(); ++child) {
        if (tree[static_cast<std::size_t>(child)] == host) children.push_back(child);
    }
    if (children.empty()) return start_s;
    double best_s = std::numeric_limits<double>::infinity();
    do {
        double free_s = start_s, last_s = 0.0;
        for (const int child : children) {
            const double arrives_s = free_s + network.transfer_s(bytes, host, child);
            last_s = std::max(last_s, best_end_s(network, tree, bytes, child, arrives_s));
            free_s += network.send_overhead_s(bytes, host, child);
        }
        best_s = std::min(best_s, last_s);
    } while (std::ranges::next_permutation(children).found);
    return best_s;
}

/// The same with the message first that arrives first, in which order such a tree grows.
double grown_end_s(const Network& network, const BroadcastTree& tree, double bytes) {
    std::vector<BroadcastTree> trees(tree.size(), BroadcastTree(tree.size(), -1));
    trees[0] = tree;
    const std::vector<double> all(tree.size(), bytes);
    return schedule_from_trees(network, Ports::full_duplex, all, trees).predicted_s;
}

TEST(BroadcastTrees, AnnealingIsReproducibleAndNotWorseThanWhereItStarts) {
    std::mt19937 random(5);
    int improved = 0;
    for (int repetition = 0; repetition < 10; ++repetition) {
        // With one pool the trees have the same hosts.
        const Network network = random_network(6, false, true, random);
        Pool root;
        root.hosts = {0, 1, 2, 3, 4, 5};
        const BroadcastTree tree = annealed_tree(network, root, 400.0, 0, 3);
        EXPECT_EQ(tree, annealed_tree(network, root, 400.0, 0, 3));
        const BroadcastTree start = shortest_path_tree(network, 400.0, 0);
        const double start_s = grown_end_s(network, start, 400.0);
        const double end_s = best_end_s(network, tree, 400.0, 0, 0.0);
        EXPECT_LE(end_s, start_s);
        improved += end_s < start_s;
    }
    EXPECT_GT(improved, 0);
}

}  // namespace
}  // namespace mpiaudit::test
