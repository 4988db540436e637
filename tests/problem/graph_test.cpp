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
    for (const char* text : {"ring", "5-point"}) {
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
    // mpiaudit's graphs have each neighbour once.
    EXPECT_THAT(make_graph("5-point", 4).dimensions, IsEmpty());
    EXPECT_THAT(make_graph("ring", 2).targets[0], ElementsAre(1));
    EXPECT_THAT(make_graph("5-point", 6).targets[4], ElementsAre(1, 3, 5));
    EXPECT_THAT(make_graph("5-point", 5).targets[4], ElementsAre(0, 3));
}

TEST(Graph, RowsOfTheRectangleThatIsNearestToASquare) {
    EXPECT_EQ(rows_nearest_to_square(12), 3);
    EXPECT_EQ(rows_nearest_to_square(16), 4);
    EXPECT_EQ(rows_nearest_to_square(13), 1);
    EXPECT_EQ(rows_nearest_to_square(1), 1);
}

TEST(Graph, AnUnknownNameGetsTheValidNames) {
    EXPECT_THAT([] { make_graph("rings", 3); },
                ThrowsMessage<std::invalid_argument>(
                    HasSubstr("--graph: unknown graph 'rings'; did you mean 'ring'?")));
    for (const char* removed : {"moore", "random", "complete", "offsets:1", "j == i + 1"})
        EXPECT_THAT(
            [&] { make_graph(removed, 3); },
            ThrowsMessage<std::invalid_argument>(HasSubstr("valid: 5-point, ring, or a file")));
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
          {"hello", "mine.json:1"},
          {"", "mine.json"},
          {"{", "mine.json:1"}}) {
        EXPECT_THAT(([text = text] { parse_graph(text, "mine.json", 3); }),
                    ThrowsMessage<std::invalid_argument>(HasSubstr(what)))
            << text;
    }
}

}  // namespace
}  // namespace mpiaudit
