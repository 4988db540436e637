// SPDX-License-Identifier: BSD-3-Clause
#include "problem/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string_view>

#include "problem/formula.h"
#include "random/random_bits.h"
#include "text/exit_code.h"
#include "text/json_text.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

constexpr std::array<std::string_view, 5> names{"ring", "5-point", "moore", "random", "complete"};
constexpr std::string_view at_offsets = "offsets:";
constexpr std::size_t most_dimensions = 5;
constexpr int random_neighbours = 4;
constexpr int farthest = 1 << 20;

/// As near to a square or cube as the number of ranks allows, the shorter dimensions first.
std::vector<int> extents_of(int ranks, std::size_t dimensions) {
    constexpr double for_rounding = 1e-9;
    std::vector<int> extents;
    for (; dimensions > 1; --dimensions) {
        const double root = std::pow(ranks, 1.0 / static_cast<double>(dimensions));
        int extent = static_cast<int>(root + for_rounding);
        while (ranks % extent != 0) --extent;
        extents.push_back(extent);
        ranks /= extent;
    }
    extents.push_back(ranks);
    return extents;
}

int modulo_extent(int coordinate, int extent) {
    return (coordinate % extent + extent) % extent;
}

/// The neighbours of a small torus may be the same rank, or the own one.
void remove_repetitions(std::vector<int>& neighbours, int own) {
    std::ranges::sort(neighbours);
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    std::erase(neighbours, own);
}

/// Who receives from whom, where it is told who sends to whom.
NeighbourLists inverted(const NeighbourLists& targets) {
    std::vector<std::vector<int>> sources(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
        for (const int target : targets[i])
            sources[static_cast<std::size_t>(target)].push_back(static_cast<int>(i));
    }
    NeighbourLists::Stretch lists;
    for (const std::vector<int>& each : sources) lists.add(each);
    return NeighbourLists(std::move(lists));
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

using Offsets = std::vector<Offset>;

/// The shortest way round to each; empty where two lead to one rank, or one to the rank itself.
Offsets shortest(const Offsets& offsets, const std::vector<int>& extents) {
    std::set<Offset> seen{Offset(extents.size(), 0)};
    Offsets all;
    for (const Offset& each : offsets) {
        Offset& offset = all.emplace_back();
        for (std::size_t k = 0; k < extents.size(); ++k) {
            const int forward = modulo_extent(each[k], extents[k]);
            offset.push_back(forward > extents[k] / 2 ? forward - extents[k] : forward);
        }
        if (!seen.insert(offset).second) return {};
    }
    return all;
}

/// Every rank sends to, and receives from, those at these offsets.
Graph on_torus(int ranks, const Offsets& offsets) {
    Graph graph;
    graph.extents = extents_of(ranks, offsets.front().size());
    graph.offsets = shortest(offsets, graph.extents);
    graph.targets = listed(ranks, [&](int rank, std::vector<int>& neighbours) {
        for (const Offset& each : offsets) neighbours.push_back(graph.rank_at(rank, each, 1));
        if (graph.offsets.empty()) remove_repetitions(neighbours, rank);
    });
    graph.sources = graph.targets;
    return graph;
}

/// The same; MPI_Cart_create would put the neighbours in this order.
Graph cartesian(int ranks, const Offsets& offsets) {
    Graph graph = on_torus(ranks, offsets);
    if (!graph.offsets.empty()) graph.dimensions = graph.extents;
    return graph;
}

std::vector<std::string_view> parts(std::string_view text, char separator) {
    std::vector<std::string_view> all;
    while (true) {
        const std::size_t end = text.find(separator);
        all.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return all;
        text.remove_prefix(end + 1);
    }
}

/// "-1,0/1,0": as many numbers in each.
Offsets read_offsets(std::string_view text) {
    const auto fail = [](std::string_view what) {
        throw make_invalid_argument(
            "--graph: {}; give the same number of coordinates, 1 to {}, of every neighbour, as in "
            "{}-1,0/1,0/1,1",
            what, most_dimensions, at_offsets);
    };
    Offsets offsets;
    for (const std::string_view each : parts(text, '/')) {
        Offset& offset = offsets.emplace_back();
        for (const std::string_view number : parts(each, ',')) {
            int coordinate = 0;
            const char* const end = number.data() + number.size();
            const auto [read, error] = std::from_chars(number.data(), end, coordinate);
            if (error != std::errc{} || read != end || std::abs(coordinate) > farthest)
                fail(fmt::format("'{}' is no coordinate", number));
            offset.push_back(coordinate);
        }
        if (offset.size() > most_dimensions || offset.size() != offsets.front().size())
            fail(fmt::format("{} coordinates", offset.size()));
        if (std::ranges::count(offset, 0) == std::ssize(offset)) fail("0 in all dimensions");
        if (std::ranges::count(offsets, offset) > 1) fail("an offset is there twice");
    }
    return offsets;
}

Graph by_offsets(std::string_view text, int ranks) {
    Offsets offsets = read_offsets(text);
    Graph graph = on_torus(ranks, offsets);
    for (Offset& each : offsets)
        for (int& coordinate : each) coordinate = -coordinate;
    graph.sources = on_torus(ranks, offsets).targets;
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
    return extents_of(ranks, 2).front();
}

// Ranks in row-major order, as MPI_Cart_create has them.
int Graph::rank_at(int rank, const Offset& offset, int times) const {
    int there = 0, weight = 1;
    for (std::size_t k = extents.size(); k-- > 0;) {
        const int coordinate = rank % extents[k];
        there += modulo_extent(coordinate + times * offset[k], extents[k]) * weight;
        rank /= extents[k];
        weight *= extents[k];
    }
    return there;
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
    Graph graph;
    if (text == "ring")
        graph = cartesian(ranks, {{-1}, {1}});
    else if (text == "5-point")
        graph = cartesian(ranks, {{-1, 0}, {1, 0}, {0, -1}, {0, 1}});
    else if (text == "moore")
        graph =
            on_torus(ranks, {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}});
    else if (text.starts_with(at_offsets))
        graph = by_offsets(std::string_view(text).substr(at_offsets.size()), ranks);
    else if (text == "random")
        graph = random_regular(ranks);
    else if (text == "complete")
        graph = complete(ranks);
    else if (is_name(text))
        throw std::invalid_argument(
            "--graph: " + unknown_name("graph", text, graph_names()) +
            ", offsets:..., a file with path or .json, or a formula in i, j and p");
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
            fail(fmt::format(
                "edge {} is {}; no rank is its own neighbour, and no edge is there twice", k,
                edge.dump()));
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
