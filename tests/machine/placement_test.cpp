// SPDX-License-Identifier: BSD-3-Clause
#include "machine/placement.h"

#include <gtest/gtest.h>

namespace mpiaudit {
namespace {

RankPlacement placed(const std::vector<std::string>& names) {
    return placement_of(hosts_of(names));
}

TEST(RankPlacement, BlockCyclicOrIrregular) {
    EXPECT_EQ(placed({"a", "a", "b", "b"}).order, RankOrder::block);
    EXPECT_EQ(placed({"a", "b", "a", "b"}).order, RankOrder::cyclic);
    EXPECT_EQ(placed({"a", "b", "a"}).order, RankOrder::cyclic);
    EXPECT_EQ(placed({"a", "b", "b", "a"}).order, RankOrder::irregular);
    EXPECT_EQ(placed({"a", "a", "b"}).order, RankOrder::irregular);
    EXPECT_EQ(placed({"a", "a", "a"}).order, RankOrder::block);
    EXPECT_EQ(placed({"a", "b", "c"}).order, RankOrder::block);
    EXPECT_EQ(name(RankOrder::cyclic), "cyclic");
}

TEST(RankPlacement, CountsHostsAndTheirRanks) {
    const RankPlacement placement = placed({"a", "a", "b", "a", "c"});
    EXPECT_EQ(placement.hosts, 3);
    EXPECT_EQ(placement.least_ranks, 1);
    EXPECT_EQ(placement.most_ranks, 3);
    EXPECT_EQ(placement_of({}).hosts, 0);
}

}  // namespace
}  // namespace mpiaudit
