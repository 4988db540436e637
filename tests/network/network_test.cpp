// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "error_message.h"
#include "network/network.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Network shipped(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(SOURCE_DIR "/networks/" + name).rdbuf();
    return parse_network(text.str(), name);
}

/// Two hosts; `latency` and `bandwidth` in place of the matrices, `more` in front of them.
std::string file(const std::string& latency = "[[null, 1e-3], [2e-3, null]]",
                 const std::string& bandwidth = "[[null, 8], [16, null]]",
                 const std::string& more = "") {
    return "{" + more + R"("hosts": ["a", "b"], "latency_s": )" + latency +
           R"(, "bandwidth_Mbit_per_s": )" + bandwidth + "}";
}

std::string error(const std::string& text) {
    return error_message([&] { parse_network(text, "net.json"); });
}

TEST(NetworkFile, TheShippedGridHasTheNumbersOfThePapersTables) {
    const Network grid = shipped("three-sites.json");
    EXPECT_EQ(grid.size(), 20);
    EXPECT_THAT(grid.sites, ElementsAre("UT", "UK", "NTH"));
    EXPECT_EQ(std::ranges::count(grid.site_of_host, 0), 8);
    EXPECT_EQ(std::ranges::count(grid.site_of_host, 1), 4);
    EXPECT_DOUBLE_EQ(grid.bandwidth_bytes_per_s(0, 8), 1.44e6 / 8);  // UT to UK
    EXPECT_DOUBLE_EQ(grid.bandwidth_bytes_per_s(8, 0), 1.28e6 / 8);
    EXPECT_DOUBLE_EQ(grid.bandwidth_bytes_per_s(12, 13), 81.86e6 / 8);
    EXPECT_DOUBLE_EQ(grid.latency_s(11, 19), 0.076);
    EXPECT_EQ(shipped("artificial-sites.json").placement, Placement::cyclic);
}

TEST(NetworkFile, AWrittenFileIsReadAgain) {
    Network network = parse_network(
        file("[[1e-6, 1e-3], [2e-3, 1e-6]]", "[[800, 8], [16, 800]]",
             R"("overheads": [{"bytes": 100, "send_overhead_s": [[0, 1e-4], [2e-4, 0]],)"
             R"( "gap_s": [[0, 3e-4], [4e-4, 0]]}, {"bytes": 10, "send_overhead_s": [[0, 1e-5], )"
             R"([2e-5, 0]], "gap_s": [[0, 3e-5], [4e-5, 0]]}], "ports": "half-duplex", )"),
        "net.json");
    const Network again = parse_network(network_file(network, {"t", "now", "by hand"}), "again");
    EXPECT_EQ(again.hosts, network.hosts);
    EXPECT_THAT(again.latency_s.values(), ElementsAre(1e-6, 1e-3, 2e-3, 1e-6));
    EXPECT_THAT(again.bandwidth_bytes_per_s.values(), ElementsAre(1e8, 1e6, 2e6, 1e8));
    EXPECT_EQ(again.ports, Ports::half_duplex);
    EXPECT_DOUBLE_EQ(again.send_overhead_s(100, 0, 1), 1e-4);
    EXPECT_DOUBLE_EQ(again.gap_s(10, 1, 0), 4e-5);
    EXPECT_DOUBLE_EQ(again.send_overhead_s(55, 0, 1), 5.5e-5);   // on the line between them
    EXPECT_DOUBLE_EQ(again.send_overhead_s(190, 0, 1), 1.9e-4);  // which goes on
}

TEST(NetworkFile, TheFastestLinkCountsWithinAHostUnlessTheFileKnowsBetter) {
    const Network network = parse_network(file(), "net.json");
    EXPECT_DOUBLE_EQ(network.latency_s(1, 1), 1e-3);
    EXPECT_DOUBLE_EQ(network.bandwidth_bytes_per_s(0, 0), 2e6);
    const Network known = parse_network(
        file("[[null, 1], [1, null]]", "[[null, 8], [8, null]]",
             R"("within_host": {"latency_s": 1e-6, "bandwidth_Mbit_per_s": 80000}, )"),
        "net.json");
    EXPECT_DOUBLE_EQ(known.latency_s(0, 0), 1e-6);
    EXPECT_DOUBLE_EQ(known.bandwidth_bytes_per_s(1, 1), 1e10);
}

TEST(NetworkFile, ErrorsNameThePairTheValueAndTheRemedy) {
    EXPECT_THAT(error(file("[[null, 1e-3], [null, null]]")),
                AllOf(HasSubstr("net.json"), HasSubstr("\"latency_s\" from b to a"),
                      HasSubstr("row 2, column 1"), HasSubstr("missing")));
    EXPECT_THAT(error(file("[[null, 1e-3]]")), HasSubstr("1 rows for 2 hosts"));
    EXPECT_THAT(error(file("[]")), HasSubstr("0 rows for 2 hosts"));
    EXPECT_THAT(error(file("[[0, 1], [1, 0]]", "[[null, 0], [16, null]]")),
                AllOf(HasSubstr("\"bandwidth_Mbit_per_s\" from a to b"), HasSubstr("is 0"),
                      HasSubstr("from 1e-09 to 1e+15")));
    // Times would be infinite with these values.
    EXPECT_THAT(error(file("[[0, 1], [1, 0]]", "[[null, 5e-324], [16, null]]")),
                HasSubstr("is 5e-324"));
    EXPECT_THAT(error(file("[[0, 1e308], [1, 0]]")), HasSubstr("from 0 to 1e+09"));
    EXPECT_THAT(error(file("[[0, 1], [1, 0]]", "[[null, -3], [16, null]]")), HasSubstr("is -3"));
    EXPECT_THAT(error(file("[[0, -1], [1, 0]]")), HasSubstr("from 0 to 1e+09"));
    EXPECT_THAT(error(file("[[0, \"x\"], [1, 0]]")), HasSubstr("is \"x\""));
    EXPECT_THAT(error(file("[[0, 1], [1, 0]]", "[[null, 1], [1, null]]", "\"port\": 1, ")),
                HasSubstr("did you mean 'ports'?"));
    EXPECT_THAT(error(R"({"hosts": ["a", "a"]})"), HasSubstr("'a' is listed twice"));
    EXPECT_THAT(error("{"), HasSubstr("net.json:1:2"));
    EXPECT_THAT(error(R"({"hosts": ["a"], "sites": []})"), HasSubstr("either"));
    EXPECT_EQ(error(file()), "");
}

TEST(PlaceRanks, FindsHostsByNameOrTakesThemInTurn) {
    Network network = parse_network(file(), "net.json");
    const std::vector<std::string> job = {"b", "a", "a"};
    EXPECT_THAT(place_ranks(network, job, "net.json"), ElementsAre(1, 0, 0));
    const std::vector<std::string> other = {"b", "z"};
    EXPECT_THAT(error_message([&] { place_ranks(network, other, "net.json"); }),
                AllOf(HasSubstr("hosts of the job:     b, z"),
                      HasSubstr("hosts of the network: a, b"), HasSubstr("mpiaudit probe")));
    network.placement = Placement::cyclic;
    EXPECT_THAT(place_ranks(network, job, "net.json"), ElementsAre(0, 1, 0));
}

using testing::DoubleNear;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double Mbit = 1e6 / 8;

/// Hosts of LANs given by their sizes; bandwidth_Mbit(lan, other lan).
template <class Bandwidth>
Network lans(const std::vector<int>& sizes, Bandwidth bandwidth_Mbit) {
    std::vector<int> lan_of_host;
    for (std::size_t lan = 0; lan < sizes.size(); ++lan)
        lan_of_host.insert(lan_of_host.end(), static_cast<std::size_t>(sizes[lan]),
                           static_cast<int>(lan));
    Network network;
    network.hosts.resize(lan_of_host.size());
    network.latency_s = PairMatrix(network.size());
    network.bandwidth_bytes_per_s = PairMatrix(network.size());
    for (std::size_t from = 0; from < lan_of_host.size(); ++from) {
        for (std::size_t to = 0; to < lan_of_host.size(); ++to)
            network.bandwidth_bytes_per_s(static_cast<int>(from), static_cast<int>(to)) =
                bandwidth_Mbit(lan_of_host[from], lan_of_host[to]) * Mbit;
    }
    return network;
}

TEST(Pools, ThresholdsAreTheMaximaOfGroupsWithin10Percent) {
    const std::vector<double> values = {100, 109, 111, 3, 3.2, 50};
    Network network = lans({1, 1, 1}, [](int, int) { return 0.0; });
    std::size_t next = 0;
    for (int from = 0; from < 3; ++from) {
        for (int to = 0; to < 3; ++to) {
            if (from != to) network.bandwidth_bytes_per_s(from, to) = values[next++];
        }
    }
    EXPECT_THAT(bandwidth_thresholds(sorted_bandwidths(network)), ElementsAre(3.2, 50, 109, 111));
}

TEST(Pools, TheTreeOfThePapersFigure2) {
    // LANs A and B at 10 Mbit/s to each other, at 3 to C; within a LAN 100.
    const Network network = lans({2, 3, 2}, [](int from, int to) {
        if (from == to) return 100.0;
        return from == 2 || to == 2 ? 3.0 : 10.0;
    });
    EXPECT_THAT(bandwidth_thresholds(sorted_bandwidths(network)),
                ElementsAre(3 * Mbit, 10 * Mbit, 100 * Mbit));
    const Pool root = make_pool_tree(network);
    EXPECT_EQ(root.threshold_bytes_per_s, 3 * Mbit);
    ASSERT_THAT(root.pools, SizeIs(2));
    const Pool& pool2 = root.pools[0];
    const Pool& pool3 = root.pools[1];
    EXPECT_EQ(pool2.threshold_bytes_per_s, 10 * Mbit);
    EXPECT_THAT(pool2.hosts, ElementsAre(0, 1, 2, 3, 4));
    EXPECT_EQ(pool3.threshold_bytes_per_s, 100 * Mbit);
    EXPECT_THAT(pool3.hosts, ElementsAre(5, 6));
    EXPECT_THAT(pool3.pools, IsEmpty());
    ASSERT_THAT(pool2.pools, SizeIs(2));
    EXPECT_THAT(pool2.pools[0].hosts, ElementsAre(0, 1));
    EXPECT_THAT(pool2.pools[1].hosts, ElementsAre(2, 3, 4));
    for (const Pool& lan : pool2.pools) EXPECT_EQ(lan.threshold_bytes_per_s, 100 * Mbit);
}

TEST(Pools, TheGridOfThePaperHasItsThreeSites) {
    const Pool root = make_pool_tree(shipped("three-sites.json"));
    ASSERT_THAT(root.pools, SizeIs(2));
    EXPECT_THAT(root.pools[0].hosts, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_NEAR(root.pools[0].threshold_bytes_per_s, 85.19 * Mbit, 1);
    const Pool& europe = root.pools[1];
    EXPECT_NEAR(europe.threshold_bytes_per_s, 4.75 * Mbit, 1);
    ASSERT_THAT(europe.pools, SizeIs(2));
    EXPECT_THAT(europe.pools[0].hosts, ElementsAre(8, 9, 10, 11));
    EXPECT_THAT(europe.pools[1].hosts, ElementsAre(12, 13, 14, 15, 16, 17, 18, 19));
}

TEST(Pools, DifferencesBelow10PercentSplitNothing) {
    int next = 0;
    const Network network =
        lans({6}, [&](int, int) { return 100.0 + static_cast<double>(next++ * 7 % 10); });
    const Pool root = make_pool_tree(network);
    EXPECT_THAT(root.pools, IsEmpty());
    EXPECT_THAT(root.threshold_bytes_per_s, DoubleNear(109 * Mbit, 1));
    EXPECT_THAT(root.parts(), SizeIs(6));
}

TEST(Pools, AsymmetricLinksAreTakenAsTheyAre) {
    // Fast one way only: not every member reaches the threshold, so they share no pool.
    const Network network = lans({1, 1, 1, 1}, [](int from, int to) {
        return from / 2 != to / 2 ? 1.0 : from < to ? 90.0 : 10.0;
    });
    const Pool root = make_pool_tree(network);
    ASSERT_THAT(root.pools, SizeIs(2));
    EXPECT_THAT(root.pools[0].hosts, ElementsAre(0, 1));
    EXPECT_NEAR(root.pools[0].threshold_bytes_per_s, 10 * Mbit, 1);
}

}  // namespace
}  // namespace mpiaudit
