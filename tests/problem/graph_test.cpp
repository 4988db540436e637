// SPDX-License-Identifier: BSD-3-Clause
#include "problem/graph.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <stdexcept>

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

std::vector<std::vector<int>> vectors(const NeighbourLists& lists) {
    std::vector<std::vector<int>> vectors;
    for (std::size_t i = 0; i < lists.size(); ++i)
        vectors.emplace_back(lists[i].begin(), lists[i].end());
    return vectors;
}

TEST(Graph, EveryEdgeHasTwoEndsAndNoRankIsItsOwnNeighbour) {
    for (const char* text : {"ring", "5-point", "moore", "random", "complete", "j < i",
                             "offsets:0,1/-2,1/1,0", "offsets:1,0,0/0,-3,1"}) {
        for (int ranks = 1; ranks <= 16; ++ranks) {
            const Graph graph = make_graph(text, ranks);
            ASSERT_EQ(graph.ranks(), ranks) << text;
            ASSERT_EQ(graph.sources.size(), graph.targets.size()) << text;
            for (int i = 0; i < ranks; ++i) {
                const std::span<const int> targets = graph.targets[static_cast<std::size_t>(i)];
                EXPECT_EQ(std::ranges::count(targets, i), 0) << text;
                for (const int j : targets) {
                    EXPECT_EQ(std::ranges::count(targets, j), 1) << text << " " << ranks;
                    const auto back = graph.sources[static_cast<std::size_t>(j)];
                    EXPECT_EQ(std::ranges::count(back, i), 1) << text << " " << ranks;
                }
            }
        }
    }
}

/// MPI_Cart_shift gives the rank before first, dimension by dimension; ranks are in row-major
/// order.
TEST(Graph, NeighboursOfATorusStandAsThoseOfMpiCartCreate) {
    EXPECT_THAT(make_graph("ring", 4).targets[0], ElementsAre(3, 1));
    EXPECT_THAT(make_graph("ring", 4).dimensions, ElementsAre(4));
    const Graph torus = make_graph("5-point", 12);
    EXPECT_THAT(torus.dimensions, ElementsAre(3, 4));
    EXPECT_THAT(torus.targets[0], ElementsAre(8, 4, 3, 1));
    EXPECT_THAT(torus.sources[0], ElementsAre(8, 4, 3, 1));
    // Twice the same neighbour is no graph of ours.
    EXPECT_THAT(make_graph("5-point", 4).dimensions, IsEmpty());
    EXPECT_THAT(make_graph("ring", 2).targets[0], ElementsAre(1));
}

/// Row by row from the one above to the left.
TEST(Graph, EverybodyAroundOnATorus) {
    const Graph around = make_graph("moore", 12);
    EXPECT_THAT(around.extents, ElementsAre(3, 4));
    EXPECT_EQ(around.offsets.size(), 8U);
    EXPECT_THAT(around.dimensions, IsEmpty());
    EXPECT_THAT(around.sources[5], ElementsAre(0, 1, 2, 4, 6, 8, 9, 10));
    EXPECT_THAT(make_graph("moore", 8).offsets, IsEmpty());
}

TEST(Graph, OffsetsOnATorusAreThoseOfTargetsAndBackwardsOfSources) {
    const Graph graph = make_graph("offsets:0,1/-2,1/1,0", 15);
    EXPECT_THAT(graph.extents, ElementsAre(3, 5));
    // Two rows up of three is one down.
    EXPECT_THAT(graph.offsets,
                ElementsAre(ElementsAre(0, 1), ElementsAre(1, 1), ElementsAre(1, 0)));
    EXPECT_THAT(graph.targets[4], ElementsAre(0, 5, 9));
    EXPECT_THAT(graph.sources[4], ElementsAre(3, 13, 14));
    EXPECT_THAT(make_graph("offsets:1,0,0/0,0,2", 60).extents, ElementsAre(3, 4, 5));
    // Two offsets lead to one rank here.
    const Graph small = make_graph("offsets:0,1/0,-1", 4);
    EXPECT_THAT(small.offsets, IsEmpty());
    EXPECT_THAT(small.targets[0], ElementsAre(1));
    for (const auto& [text, what] : {std::pair{"offsets:", "'' is no coordinate"},
                                     {"offsets:1,0/x", "'x' is no coordinate"},
                                     {"offsets:1,0/1", "1 coordinates"},
                                     {"offsets:1,1,1,1,1,1", "6 coordinates"},
                                     {"offsets:0,0", "0 in all dimensions"},
                                     {"offsets:1/2/1", "an offset is there twice"}}) {
        EXPECT_THAT(([text = text] { make_graph(text, 9); }),
                    ThrowsMessage<std::invalid_argument>(HasSubstr(what)))
            << text;
    }
}

TEST(Graph, RowsOfTheRectangleThatIsNearestToASquare) {
    EXPECT_EQ(rows_nearest_to_square(12), 3);
    EXPECT_EQ(rows_nearest_to_square(16), 4);
    EXPECT_EQ(rows_nearest_to_square(13), 1);
    EXPECT_EQ(rows_nearest_to_square(1), 1);
}

TEST(Graph, WhereAllRanksHaveAsManyNeighbours) {
    for (const char* text : {"ring", "5-point", "moore", "random", "complete"})
        EXPECT_TRUE(make_graph(text, 16).has_equal_degrees()) << text;
    EXPECT_EQ(make_graph("random", 16).targets[5].size(), 4U);
    EXPECT_FALSE(make_graph("j == i + 1", 3).has_equal_degrees());
    // One target each, but two ranks send to rank 0.
    EXPECT_FALSE(make_graph("j == (i == 0)", 3).has_equal_degrees());
}

TEST(Graph, Formula) {
    const Graph chain = make_graph("j == i + 1", 3);
    EXPECT_THAT(vectors(chain.targets), ElementsAre(ElementsAre(1), ElementsAre(2), IsEmpty()));
    EXPECT_THAT(vectors(chain.sources), ElementsAre(IsEmpty(), ElementsAre(0), ElementsAre(1)));
    EXPECT_EQ(vectors(make_graph("1", 5).targets), vectors(make_graph("complete", 5).targets));
    EXPECT_THAT([] { make_graph("j == k", 3); },
                ThrowsMessage<std::invalid_argument>(HasSubstr("--graph: error in formula")));
    EXPECT_THAT([] { make_graph("rings", 3); },
                ThrowsMessage<std::invalid_argument>(HasSubstr("did you mean 'ring'?")));
}

TEST(Graph, File) {
    const Graph graph = parse_graph(R"({"edges": [[2, 0], [0, 1], [0, 2]]})", "mine.json", 3);
    EXPECT_THAT(vectors(graph.targets), ElementsAre(ElementsAre(1, 2), IsEmpty(), ElementsAre(0)));
    EXPECT_THAT(vectors(graph.sources),
                ElementsAre(ElementsAre(2), ElementsAre(0), ElementsAre(0)));
    for (const auto& [text, what] :
         {std::pair{R"({"edges": [[0, 3]]})",
                    "edge 0 is [0,3]; an edge is a pair of ranks from 0 to 2"},
          {R"({"edges": [[3, 0]]})", "edge 0 is [3,0]; an edge is a pair"},
          {R"({"edges": [[0, 1, 2]]})", "edge 0 is"},
          {R"({"edges": [[0, 1], [0, 1]]})", "edge 1 is [0,1]; no rank is its own neighbour"},
          {R"({"edges": [[1, 1]]})", "no rank is its own neighbour"},
          {R"({"edges": 3})", "'edges' must be a list"},
          {R"({"edge": []})", "edges"},
          {"[]", "expected"},
          {"{", "mine.json:1"}}) {
        EXPECT_THAT(([text = text] { parse_graph(text, "mine.json", 3); }),
                    ThrowsMessage<std::invalid_argument>(HasSubstr(what)))
            << text;
    }
}

}  // namespace
}  // namespace mpiaudit
