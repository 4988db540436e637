// SPDX-License-Identifier: BSD-3-Clause
#include "problem/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Neighbours in both directions of a dimension are two other ranks from this extent on.
constexpr int least_extent_of_two_neighbours = 3;

/// Both neighbours in a dimension of a small torus may be one rank, or the rank itself.
void remove_repetitions(std::vector<int>& neighbours, int own) {
    std::ranges::sort(neighbours);
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    std::erase(neighbours, own);
}

/// Returns the sources of each rank: the ranks that have it among their targets.
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

/// Returns the lists that `add_targets(rank, list)` fills.
template <class AddTargets>
NeighbourLists listed(int ranks, const AddTargets& add_targets) {
    NeighbourLists::Stretch lists;
    lists.ends.reserve(static_cast<std::size_t>(ranks));
    std::vector<int> list;
    for (int i = 0; i < ranks; ++i) {
        list.clear();
        add_targets(i, list);
        // If all lists are as long as the first one, the memory is allocated once.
        if (i == 0) lists.ranks.reserve(list.size() * static_cast<std::size_t>(ranks));
        lists.add(list);
    }
    return NeighbourLists(std::move(lists));
}

/// Returns the graph in which each rank of a torus sends to, and receives from, the ranks before
/// and behind it in each dimension. Ranks are in row-major order, as MPI_Cart_create numbers them.
Graph torus(const std::vector<int>& extents, int ranks) {
    const bool are_distinct = std::ranges::all_of(
        extents, [](int extent) { return extent >= least_extent_of_two_neighbours; });
    Graph graph;
    graph.targets = listed(ranks, [&](int rank, std::vector<int>& neighbours) {
        int stride = ranks;
        for (const int extent : extents) {
            stride /= extent;
            const int coordinate = rank / stride % extent;
            const int first = rank - coordinate * stride;
            for (const int step : {extent - 1, 1})
                neighbours.push_back(first + (coordinate + step) % extent * stride);
        }
        if (!are_distinct) remove_repetitions(neighbours, rank);
    });
    graph.sources = graph.targets;
    if (are_distinct) graph.dimensions = extents;
    return graph;
}

}  // namespace

void NeighbourLists::Stretch::add(std::span<const int> list) {
    ranks.insert(ranks.end(), list.begin(), list.end());
    if (ranks.size() > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("--graph: more than 2^32 - 1 edges");
    ends.push_back(static_cast<std::uint32_t>(ranks.size()));
}

int rows_nearest_to_square(int ranks) {
    int rows = 1;
    for (int divisor = 2; divisor <= ranks / divisor; ++divisor)
        if (ranks % divisor == 0) rows = divisor;
    return rows;
}

Graph make_graph(const std::string& name, int ranks) {
    const std::vector<std::string> names{"ring", "5-point"};
    if (std::ranges::find(names, name) == names.end())
        throw std::invalid_argument("--graph: " + unknown_name("graph", name, names) +
                                    ", or a file (a name with a / or with .json at its end)");
    const int rows = rows_nearest_to_square(ranks);
    Graph graph =
        torus(name == "ring" ? std::vector{ranks} : std::vector{rows, ranks / rows}, ranks);
    graph.name = name;
    return graph;
}

Graph graph_of(const std::string& name, std::span<const std::set<int>> targets) {
    Graph graph;
    graph.name = name;
    graph.targets = listed(static_cast<int>(targets.size()), [&](int rank, std::vector<int>& list) {
        const std::set<int>& own = targets[static_cast<std::size_t>(rank)];
        list.assign(own.begin(), own.end());
    });
    graph.sources = inverted(graph.targets);
    return graph;
}

bool is_graph_file(const std::string& text) {
    return text.find('/') != std::string::npos || text.ends_with(".json");
}

}  // namespace mpiaudit
