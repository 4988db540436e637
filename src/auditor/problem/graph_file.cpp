// SPDX-License-Identifier: BSD-3-Clause
// Defines parse_graph() of graph.h.
#include <fmt/format.h>

#include <stdexcept>

#include "problem/graph.h"
#include "text/json_text.h"

namespace mpiaudit {
namespace {

using Targets = std::vector<std::set<int>>;

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
    throw std::invalid_argument(where + ": " + what);
}

Targets edges_in_json(const std::string& text, const std::string& origin, int ranks) {
    const JsonDocument document(text, origin);
    const LocatedJson root = document.root();
    if (!root.is(LocatedJson::Type::object)) refuse(origin, R"(expected {"edges": [[0, 1], ...]})");
    check_keys(root, {"edges"}, origin);
    const auto edges = root.find("edges");
    if (!edges || !edges->is(LocatedJson::Type::array))
        refuse(origin, "'edges' must be a list of pairs of ranks");
    Targets targets(static_cast<std::size_t>(ranks));
    for (std::size_t k = 0; k < edges->size(); ++k) {
        const LocatedJson edge = edges->element(k);
        const bool is_pair = edge.is(LocatedJson::Type::array) && edge.size() == 2 &&
                             edge.element(0).is_integer(0, ranks - 1) &&
                             edge.element(1).is_integer(0, ranks - 1);
        if (!is_pair)
            refuse(origin, fmt::format("edge {} is {}; an edge is a pair of ranks from 0 to {}", k,
                                       edge.dump(), ranks - 1));
        const auto from = static_cast<std::size_t>(edge.element(0).integer(0));
        const auto to = static_cast<int>(edge.element(1).integer(0));
        if (static_cast<int>(from) == to || !targets[from].insert(to).second)
            refuse(origin,
                   fmt::format("edge {} is {}; no rank is its own neighbour, and no edge is "
                               "there twice",
                               k, edge.dump()));
    }
    return targets;
}

}  // namespace

Graph parse_graph(const std::string& text, const std::string& origin, int ranks) {
    return graph_of(origin, edges_in_json(text, origin, ranks));
}

}  // namespace mpiaudit
