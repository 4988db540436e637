// SPDX-License-Identifier: BSD-3-Clause
#include "problem/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string_view>

#include "problem/formula.h"
#include "random/random_bits.h"
#include "text/json_text.h"
#include "text/nearest_name.h"

namespace mpiaudit {
namespace {

constexpr std::array<std::string_view, 5> names{"ring", "5-point", "moore", "random", "complete"};
constexpr int fewest_for_two_neighbours = 3;
constexpr int random_neighbours = 4;

/// Ranks in row-major order, as MPI_Cart_create has them.
struct Torus {
    int rows, columns;
    int rank(int row, int column) const {
        return (row + rows) % rows * columns + (column + columns) % columns;
    }
};

/// The neighbours of a small torus may be the same rank, or the own one.
void remove_repetitions(std::vector<int>& neighbours, int own) {
    std::ranges::sort(neighbours);
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    std::erase(neighbours, own);
}

/// Who receives from whom, where it is told who sends to whom.
NeighbourLists inverted(const NeighbourLists& targets) {
    NeighbourLists::Stretch sources;
    sources.ends.resize(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
        for (const int target : targets[i]) ++sources.ends[static_cast<std::size_t>(target)];
    }
    // From the numbers of sources to the places where the lists begin, and from there, filling
    // them, to their ends.
    std::exclusive_scan(sources.ends.begin(), sources.ends.end(), sources.ends.begin(),
                        std::uint32_t{0});
    sources.ranks.resize(targets.edges());
    for (std::size_t i = 0; i < targets.size(); ++i) {
        for (const int target : targets[i])
            sources.ranks[sources.ends[static_cast<std::size_t>(target)]++] = static_cast<int>(i);
    }
    return NeighbourLists(std::move(sources));
}

/// The graph in which rank i sends to the ranks that `add_targets(i, list)` puts into an empty
/// list.
template <class AddTargets>
NeighbourLists listed(int ranks, const AddTargets& add_targets) {
    NeighbourLists::Stretch lists;
    lists.ends.reserve(static_cast<std::size_t>(ranks));
    std::vector<int> list;
    for (int i = 0; i < ranks; ++i) {
        list.clear();
        add_targets(i, list);
        // A graph in which all have as many neighbours takes no more than that.
        if (i == 0) lists.ranks.reserve(list.size() * static_cast<std::size_t>(ranks));
        lists.add(list);
    }
    return NeighbourLists(std::move(lists));
}

using Offsets = std::vector<std::pair<int, int>>;

/// Every rank sends to, and receives from, those at these offsets.
Graph on_torus(const Torus& torus, const Offsets& offsets, bool is_cartesian) {
    Graph graph;
    const auto is_large = [](int extent) { return extent >= fewest_for_two_neighbours; };
    const bool is_distinct =
        is_large(torus.columns) && (is_large(torus.rows) || (is_cartesian && offsets.size() == 2));
    graph.targets = listed(torus.rows * torus.columns, [&](int rank, std::vector<int>& neighbours) {
        const int row = rank / torus.columns, column = rank % torus.columns;
        for (const auto& [down, right] : offsets)
            neighbours.push_back(torus.rank(row + down, column + right));
        if (!is_distinct) remove_repetitions(neighbours, rank);
    });
    graph.sources = graph.targets;
    if (is_distinct && !is_cartesian) graph.moore_dimensions = {torus.rows, torus.columns};
    if (is_distinct && is_cartesian)
        graph.dimensions = offsets.size() == 2 ? std::vector<int>{torus.columns}
                                               : std::vector<int>{torus.rows, torus.columns};
    return graph;
}

/// A circulant graph of ranks in a random order: every rank has as many targets as sources.
Graph random_regular(int ranks) {
    std::vector<int> order(static_cast<std::size_t>(ranks));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [](int rank) {
        return std::pair(mix_bits(2, static_cast<std::uint64_t>(rank)), rank);
    });
    std::vector<int> distances(static_cast<std::size_t>(ranks) - 1);
    std::iota(distances.begin(), distances.end(), 1);
    std::ranges::sort(distances, {}, [](int distance) {
        return std::pair(mix_bits(3, static_cast<std::uint64_t>(distance)), distance);
    });
    distances.resize(std::min<std::size_t>(distances.size(), random_neighbours));
    std::vector<std::size_t> place_of(order.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        place_of[static_cast<std::size_t>(order[at])] = at;
    Graph graph;
    graph.targets = listed(ranks, [&](int rank, std::vector<int>& targets) {
        const std::size_t at = place_of[static_cast<std::size_t>(rank)];
        for (const int distance : distances)
            targets.push_back(order[(at + static_cast<std::size_t>(distance)) % order.size()]);
        std::ranges::sort(targets);
    });
    graph.sources = inverted(graph.targets);
    return graph;
}

Graph complete(int ranks) {
    Graph graph;
    graph.targets = listed(ranks, [&](int rank, std::vector<int>& targets) {
        for (int other = 0; other < ranks; ++other) {
            if (other != rank) targets.push_back(other);
        }
    });
    graph.sources = graph.targets;
    return graph;
}

Graph by_formula(const std::string& text, int ranks) {
    Formula formula("--graph", text, {{"j", 0.0}});
    Graph graph;
    graph.targets = listed(ranks, [&](int i, std::vector<int>& targets) {
        for (int j = 0; j < ranks; ++j) {
            formula.set("j", j);
            FormulaVariables variables;
            variables.i = i;
            variables.p = ranks;
            if (j != i && formula.evaluate(variables) != 0.0) targets.push_back(j);
        }
    });
    graph.sources = inverted(graph.targets);
    return graph;
}

bool is_name(std::string_view text) {
    return text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-0123456789") == std::string::npos &&
           text.find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos && text.size() > 2;
}

}  // namespace

void NeighbourLists::Stretch::add(std::span<const int> list) {
    ranks.insert(ranks.end(), list.begin(), list.end());
    if (ranks.size() > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("--graph: more than 2^32 - 1 edges");
    ends.push_back(static_cast<std::uint32_t>(ranks.size()));
}

int rows_nearest_to_square(int ranks) {
    int rows = static_cast<int>(std::sqrt(static_cast<double>(ranks)));
    while (ranks % rows != 0) --rows;
    return rows;
}

bool Graph::has_equal_degrees() const {
    const std::size_t degree = targets.size() > 0 ? targets[0].size() : 0;
    for (std::size_t rank = 0; rank < targets.size(); ++rank) {
        if (targets[rank].size() != degree || sources[rank].size() != degree) return false;
    }
    return true;
}

std::vector<std::string> graph_names() {
    return {names.begin(), names.end()};
}

Graph make_graph(const std::string& text, int ranks) {
    const int rows = rows_nearest_to_square(ranks);
    const Torus torus{rows, ranks / rows};
    Graph graph;
    if (text == "ring")
        graph = on_torus({1, ranks}, {{0, -1}, {0, 1}}, true);
    else if (text == "5-point")
        graph = on_torus(torus, {{-1, 0}, {1, 0}, {0, -1}, {0, 1}}, true);
    else if (text == "moore")
        graph = on_torus(
            torus, {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}, false);
    else if (text == "random")
        graph = random_regular(ranks);
    else if (text == "complete")
        graph = complete(ranks);
    else if (is_name(text))
        throw std::invalid_argument("--graph: " + unknown_name("graph", text, graph_names()) +
                                    ", a file with path or .json, or a formula in i, j and p");
    else
        graph = by_formula(text, ranks);
    graph.name = text;
    return graph;
}

Graph parse_graph(const std::string& text, const std::string& origin, int ranks) {
    const JsonDocument document(text, origin);
    const LocatedJson root = document.root();
    const auto fail = [&](const std::string& what) {
        throw std::invalid_argument(origin + ": " + what);
    };
    if (!root.is(LocatedJson::Type::object)) fail(R"(expected {"edges": [[0, 1], ...]})");
    check_keys(root, {"edges"}, origin);
    const auto edges = root.find("edges");
    if (!edges || !edges->is(LocatedJson::Type::array))
        fail("'edges' must be a list of pairs of ranks");
    Graph graph;
    graph.name = origin;
    std::vector<std::set<int>> targets(static_cast<std::size_t>(ranks));
    for (std::size_t k = 0; k < edges->size(); ++k) {
        const LocatedJson edge = edges->element(k);
        const bool is_pair = edge.is(LocatedJson::Type::array) && edge.size() == 2 &&
                             edge.element(0).is_integer(0, ranks - 1) &&
                             edge.element(1).is_integer(0, ranks - 1);
        if (!is_pair)
            fail(fmt::format("edge {} is {}; an edge is a pair of ranks from 0 to {}", k,
                             edge.dump(), ranks - 1));
        const auto from = static_cast<std::size_t>(edge.element(0).integer(0));
        const auto to = static_cast<int>(edge.element(1).integer(0));
        if (static_cast<int>(from) == to || !targets[from].insert(to).second)
            fail(
                fmt::format("edge {} is {}; no rank is its own neighbour, and no edge is there "
                            "twice",
                            k, edge.dump()));
    }
    graph.targets = listed(ranks, [&](int rank, std::vector<int>& list) {
        const std::set<int>& own = targets[static_cast<std::size_t>(rank)];
        list.assign(own.begin(), own.end());
    });
    graph.sources = inverted(graph.targets);
    return graph;
}

bool is_graph_file(const std::string& text) {
    return text.ends_with(".json");
}

}  // namespace mpiaudit
