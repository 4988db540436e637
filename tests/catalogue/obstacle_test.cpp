// SPDX-License-Identifier: BSD-3-Clause
// Arrows that pass numbers of bytes as int are skipped before anything is allocated if the numbers
// do not fit; arrows for nodes are skipped if there are no such nodes.
#include <gmock/gmock.h>

#include <limits>
#include <string_view>

#include "catalogue/catalogue.h"
#include "guidelines/guideline.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Optional;

constexpr Count most = std::numeric_limits<int>::max();

class Obstacles : public testing::Test {
  protected:
    Problem problem(std::vector<Count> counts, const Element& element) {
        Problem made;
        made.counts = std::move(counts);
        made.element = &element;
        made.op = &sum_;
        return made;
    }

    const Element int_{"int"}, gaps_{"vector"};
    const Operator sum_{"sum"};
};

const Arrow& arrow(std::string_view name, Holding from, Holding to) {
    const auto found = std::ranges::find_if(catalogue(), [&](const Arrow& each) {
        return each.name == name && each.from == from && each.to == to;
    });
    EXPECT_NE(found, catalogue().end()) << name;
    return *found;
}

std::vector<const Arrow*> alltoallw_forms() {
    return {&arrow("MPI_Alltoallw", Holding::outgoing, Holding::incoming),
            &arrow("MPI_Ialltoallw", Holding::outgoing, Holding::incoming)};
}

auto exceeds(const std::string& arrow, const std::string& layout) {
    return Optional(AllOf(HasSubstr(arrow), HasSubstr("bytes " + layout + " exceed int")));
}

TEST_F(Obstacles, DisplacementsOfAlltoallw) {
    for (const Arrow* each : alltoallw_forms()) {
        const Count fitting = most / 4 / 2;
        EXPECT_EQ(each->obstacle(problem({fitting, fitting}, int_), false), std::nullopt);
        EXPECT_EQ(each->obstacle(problem({fitting + 1, fitting + 1}, int_), false),
                  each->name + ": 2147483648 bytes outgoing exceed int");
    }
}

TEST_F(Obstacles, DisplacementsOfPaddedBlocks) {
    const Problem spike = problem({most / 4 - 1, 1}, int_);
    for (const Arrow* each : alltoallw_forms()) {
        EXPECT_EQ(each->obstacle(spike, false), std::nullopt);
        EXPECT_THAT(each->obstacle(spike, true), exceeds(each->name, "padded outgoing"));
    }
}

TEST_F(Obstacles, PackedElementsAreShorter) {
    ASSERT_LT(gaps_.data_bytes(), gaps_.extent());
    const Problem long_only_with_gaps =
        problem({most / static_cast<Count>(gaps_.data_bytes()), 0}, gaps_);
    for (const Arrow* each : alltoallw_forms()) {
        EXPECT_THAT(each->obstacle(long_only_with_gaps, false), exceeds(each->name, "outgoing"));
        EXPECT_EQ(each->obstacle(long_only_with_gaps, false, true), std::nullopt);
    }
}

TEST_F(Obstacles, BothEndsCount) {
    Arrow arrow{parse_form("MPI_Allgatherw"), "allgather", Kind::native, Holding::scattered,
                Holding::replicated,          "",          nullptr,      bytes_in_int};
    const Problem halves = problem({most / 5, most / 5}, int_);
    EXPECT_THAT(arrow.obstacle(halves, false), exceeds(arrow.name, "replicated"));
    std::swap(arrow.from, arrow.to);
    EXPECT_THAT(arrow.obstacle(halves, false), exceeds(arrow.name, "replicated"));
    arrow.from = Holding::scattered;
    EXPECT_EQ(arrow.obstacle(halves, false), std::nullopt);
    EXPECT_EQ(arrow.obstacle(halves, true), std::nullopt);
}

TEST_F(Obstacles, PackAndUnpackCountPackedBytes) {
    const auto data_bytes = static_cast<Count>(gaps_.data_bytes());
    const Problem fitting = problem({most / data_bytes / 2, most / data_bytes / 2}, gaps_);
    const Problem longer = problem({most / data_bytes / 2 + 1, most / data_bytes / 2 + 1}, gaps_);
    using enum Holding;
    for (const auto& [call, holding] : {std::pair{"MPI_Pack", rooted},
                                        {"MPI_Pack", outgoing},
                                        {"MPI_Unpack", rooted},
                                        {"MPI_Unpack", replicated},
                                        {"MPI_Unpack", incoming}}) {
        const Arrow& each = arrow(call, holding, holding);
        EXPECT_EQ(each.obstacle(fitting, false, true), std::nullopt);
        EXPECT_THAT(each.obstacle(longer, false, true),
                    exceeds(call, "packed " + std::string(name(holding))));
    }
    // A rank packs its own block only.
    EXPECT_EQ(arrow("MPI_Pack", scattered, scattered).obstacle(longer, false, true), std::nullopt);
}

TEST_F(Obstacles, PathsCountThem) {
    const Path packed =
        resolve(parse_statement("MPI_Gatherv(m) <= MPI_Pack + MPI_Gatherv(m) + MPI_Unpack")).right;
    const Count most_elements = most / static_cast<Count>(gaps_.data_bytes());
    EXPECT_EQ(packed.obstacle(problem({most_elements, 0}, gaps_)), std::nullopt);
    EXPECT_THAT(packed.obstacle(problem({most_elements, 1}, gaps_)),
                exceeds("MPI_Unpack", "packed rooted"));
}

TEST(IntBytes, NarrowedWhereTheyFit) {
    Place place;
    place.extent = 4;
    EXPECT_EQ(int_bytes(place, 536'870'911), 2'147'483'644);
    EXPECT_THROW(int_bytes(place, 536'870'912), std::overflow_error);
}

TEST_F(Obstacles, OnSeveralNodesOfEqualRanks) {
    const auto obstacle = [&](const std::string& name, int nodes, int ranks_per_node) {
        Problem made = problem({1, 1, 1, 1}, int_);
        made.nodes = nodes;
        made.ranks_per_node = ranks_per_node;
        return arrow(name, Holding::rooted, Holding::replicated).obstacle(made, false);
    };
    for (const char* const name :
         {"MPI_Bcast[lane]", "MPI_Bcast[hierarchical]", "lane_Bcast", "hierarchical_Bcast"}) {
        EXPECT_THAT(obstacle(name, 1, 4),
                    Optional(HasSubstr("on several nodes (see --node-size)")));
        EXPECT_THAT(obstacle(name, 3, 0),
                    Optional(HasSubstr("the same number of ranks on every node")));
        EXPECT_THAT(obstacle(name, 4, 1), Optional(HasSubstr("several ranks on every node")));
        EXPECT_EQ(obstacle(name, 2, 2), std::nullopt);
    }
    EXPECT_EQ(obstacle("MPI_Bcast", 3, 0), std::nullopt);
}

}  // namespace
}  // namespace mpiaudit
