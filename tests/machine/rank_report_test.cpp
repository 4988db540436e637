// SPDX-License-Identifier: BSD-3-Clause
#include "machine/rank_report.h"

#include <gmock/gmock.h>

#include "machine/hosts.h"

namespace mpiaudit {
namespace {

TEST(RankReport, SurvivesAMessage) {
    RankReport report;
    report.host = "node 1\n";
    report.launched_on = "0-3,8";
    report.processing_units = "8";
    report.bound_by = "mpiaudit";
    report.cores = {4, 0};
    report.ranks_on_node = 7;
    report.moves = -1234567890123;
    EXPECT_EQ(unpacked_report(packed(report)), report);
    report.topology = {.processor = "A processor",
                       .packages = 1,
                       .numa_nodes = 2,
                       .cores = 3,
                       .processing_units = 4,
                       .memory_bytes = 18446744073709551615U,
                       .l1_cache_bytes = 5,
                       .l2_cache_bytes = 6,
                       .l3_cache_bytes = 7};
    report.conditions = {.load_average = 0.1, .frequency_governor = "powersave", .smt = true};
    EXPECT_EQ(unpacked_report(packed(report)), report);
    report.conditions = {.load_average = {}, .frequency_governor = "", .smt = false};
    EXPECT_EQ(unpacked_report(packed(report)), report);
}

TEST(HostsOf, InTheOrderOfTheirFirstRanks) {
    const std::vector<Host> hosts = hosts_of({"b", "a", "b"});
    ASSERT_EQ(hosts.size(), 2U);
    EXPECT_EQ(hosts[0].name, "b");
    EXPECT_THAT(hosts[0].ranks, testing::ElementsAre(0, 2));
    EXPECT_EQ(hosts[1].name, "a");
    EXPECT_THAT(hosts[1].ranks, testing::ElementsAre(1));
}

}  // namespace
}  // namespace mpiaudit
