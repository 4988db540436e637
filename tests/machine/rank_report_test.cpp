// SPDX-License-Identifier: BSD-3-Clause
#include "machine/machine_description.h"

#include <gmock/gmock.h>

#include <cmath>

#include "machine/conditions.h"
#include "machine/placement.h"

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
    EXPECT_EQ(unpacked<RankReport>(packed(report)), report);
    report.topology = {.processor = "A processor",
                       .kernel = "6.1",
                       .c_library = "glibc 2.36",
                       .packages = 1,
                       .numa_nodes = 2,
                       .cores = 3,
                       .processing_units = 4,
                       .memory_bytes = 18446744073709551615U,
                       .l1_cache_bytes = 5,
                       .l2_cache_bytes = 6,
                       .l3_cache_bytes = 7};
    report.conditions = {
        .load_average = 0.1, .other_tasks = 0.5, .frequency_governor = "powersave", .smt = true};
    EXPECT_EQ(unpacked<RankReport>(packed(report)), report);
    report.conditions = {
        .load_average = {}, .other_tasks = {}, .frequency_governor = "", .smt = false};
    EXPECT_EQ(unpacked<RankReport>(packed(report)), report);
}

TEST(HostsOf, InTheOrderOfTheirFirstRanks) {
    const std::vector<Host> hosts = hosts_of({"b", "a", "b"});
    ASSERT_EQ(hosts.size(), 2U);
    EXPECT_EQ(hosts[0].name, "b");
    EXPECT_THAT(hosts[0].ranks, testing::ElementsAre(0, 2));
    EXPECT_EQ(hosts[1].name, "a");
    EXPECT_THAT(hosts[1].ranks, testing::ElementsAre(1));
}

TEST(Conditions, WhatRanBeforeTheAuditIsNotDuringIt) {
    // A load of 2 falls to 1.26 in a minute in which one rank is busy, and nobody else.
    const double quiet = 2.0 * std::exp(-1.0) + 1.0 * (1.0 - std::exp(-1.0));
    EXPECT_NEAR(others_between(2.0, quiet, 60.0, 1), 0.0, 1e-9);
    EXPECT_NEAR(others_between(2.0, quiet + 1.0 - std::exp(-1.0), 60.0, 1), 1.0, 1e-9);
    EXPECT_EQ(others_between(0.0, 5.0, 1.0, 1), 0.0) << "too short to tell";
    NodeConditions conditions;
    conditions.load_average = 9.0;
    conditions.other_tasks = 0.3;
    EXPECT_TRUE(condition_warnings("here", conditions).empty());
    conditions.other_tasks = 0.8;
    EXPECT_EQ(condition_warnings("here", conditions).size(), 1U);
}

}  // namespace
}  // namespace mpiaudit
