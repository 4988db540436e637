// SPDX-License-Identifier: BSD-3-Clause
#include "network/pools.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "network/network.h"

namespace mpiaudit {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
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
    std::ostringstream text;
    text << std::ifstream(SOURCE_DIR "/networks/three-sites.json").rdbuf();
    const Pool root = make_pool_tree(parse_network(text.str(), "three-sites.json"));
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
