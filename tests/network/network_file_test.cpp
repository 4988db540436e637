// SPDX-License-Identifier: BSD-3-Clause
#include "network/network.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "../problem/error_message.h"

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

TEST(NetworkFile, WhatIsWrittenIsReadAgain) {
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

TEST(NetworkFile, WithinAHostTheFastestLinkCountsUnlessTheFileKnowsBetter) {
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
    // With these, times would be infinite.
    EXPECT_THAT(error(file("[[0, 1], [1, 0]]", "[[null, 5e-324], [16, null]]")),
                HasSubstr("is 5e-324"));
    EXPECT_THAT(error(file("[[0, 1e308], [1, 0]]")), HasSubstr("from 0 to 1e+09"));
    EXPECT_THAT(error(file("[[0, 1], [1, 0]]", "[[null, -3], [16, null]]")), HasSubstr("is -3"));
    EXPECT_THAT(error(file("[[0, -1], [1, 0]]")), HasSubstr("from 0 to 1e+09"));
    EXPECT_THAT(error(file("[[0, \"x\"], [1, 0]]")), HasSubstr("is \"x\""));
    EXPECT_THAT(error(file("[[0, 1], [1, 0]]", "[[null, 1], [1, null]]", "\"port\": 1, ")),
                HasSubstr("did you mean 'ports'?"));
    EXPECT_THAT(error(R"({"hosts": ["a", "a"]})"), HasSubstr("'a' stands there twice"));
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

}  // namespace
}  // namespace mpiaudit
