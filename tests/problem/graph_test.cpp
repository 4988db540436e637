// SPDX-License-Identifier: BSD-3-Clause
#include "problem/graph.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <stdexcept>

#include "../error_message.h"

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
          {"{", "mine.json:1"}}) {
        EXPECT_THAT(([text = text] { parse_graph(text, "mine.json", 3); }),
                    ThrowsMessage<std::invalid_argument>(HasSubstr(what)))
            << text;
    }
}

std::string refusal_of(const std::string& text, int ranks) {
    return error_message([&] { parse_graph(text, "g", ranks); });
}

TEST(Graph, MatrixMarket) {
    const Graph general = parse_graph(
        "%%MatrixMarket matrix coordinate real general\n% comment\n3 3 4\n1 1 5.0\n1 2 0.5\n3 1 "
        "1e3\n"
        "2 3 1\n",
        "g", 3);
    EXPECT_THAT(vectors(general.targets),
                ElementsAre(ElementsAre(1), ElementsAre(2), ElementsAre(0)));
    EXPECT_THAT(vectors(general.sources),
                ElementsAre(ElementsAre(2), ElementsAre(0), ElementsAre(1)));
    const Graph symmetric = parse_graph(
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n", "g", 3);
    EXPECT_THAT(vectors(symmetric.targets),
                ElementsAre(ElementsAre(1), ElementsAre(0, 2), ElementsAre(1)));
}

TEST(Graph, ARankHasABlockOfTheRowsOfALargerMatrix) {
    // Rows 1 to 3 are those of rank 0, 4 and 5 those of rank 1.
    const Graph graph = parse_graph(
        "%%MatrixMarket matrix coordinate pattern general\n5 5 3\n1 3\n3 4\n3 5\n", "g", 2);
    EXPECT_THAT(vectors(graph.targets), ElementsAre(ElementsAre(1), IsEmpty()));
}

TEST(Graph, Metis) {
    const Graph plain = parse_graph("% comment\n3 2\n2\n1 3\n2\n", "g", 3);
    EXPECT_THAT(vectors(plain.targets),
                ElementsAre(ElementsAre(1), ElementsAre(0, 2), ElementsAre(1)));
    // Each line: a size, two weights of the vertex, then neighbours with weights.
    const Graph weighted = parse_graph("3 2 111 2\n9 8 7 2 5\n9 8 7 1 5 3 6\n9 8 7 2 6\n", "g", 3);
    EXPECT_EQ(vectors(weighted.targets), vectors(plain.targets));
    // A vertex without neighbours has an empty line.
    EXPECT_THAT(vectors(parse_graph("3 1\n3\n\n1\n", "g", 3).targets),
                ElementsAre(ElementsAre(2), IsEmpty(), ElementsAre(0)));
}

TEST(Graph, OtherFilesAreRefusedWithThePlace) {
    EXPECT_THAT(refusal_of("hello", 2), testing::StartsWith("g: is no graph: give"));
    EXPECT_EQ(refusal_of("%%MatrixMarket matrix array real general\n2 2\n", 2),
              "g:1: a graph must be a 'matrix coordinate' of MatrixMarket");
    EXPECT_EQ(refusal_of("%%MatrixMarket matrix coordinate real general\n2 3 0\n", 2),
              "g:2: the matrix of a graph must have as many columns as rows");
    EXPECT_EQ(refusal_of("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n", 2),
              "g:3: the column is '3', and must be a number from 1 to 2");
    EXPECT_EQ(refusal_of("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n", 2),
              "g:3: the file ends after 1 of 2 entries");
    EXPECT_EQ(refusal_of("2 1\n2\n1\n", 3), "g:1: 2 rows are fewer than the 3 ranks of the audit");
    EXPECT_EQ(refusal_of("2 1\n2\n3\n", 2),
              "g:3: a neighbour is '3', and must be a number from 1 to 2");
    EXPECT_EQ(refusal_of("2 1\n2\n", 2), "g:2: the file ends after 1 of 2 vertices");
}

}  // namespace
}  // namespace mpiaudit
