// SPDX-License-Identifier: BSD-3-Clause
#include "machine/binding.h"

#include <array>
#include <utility>

namespace mpiaudit {
namespace {

constexpr std::array<std::pair<Binding, std::string_view>, 3> bindings_by_name{
    {{Binding::core, "core"}, {Binding::numa, "numa"}, {Binding::none, "none"}}};

}  // namespace

std::optional<Binding> find_binding(std::string_view name) {
    for (const auto& [binding, known] : bindings_by_name) {
        if (known == name) return binding;
    }
    return std::nullopt;
}

std::vector<std::string> binding_names() {
    std::vector<std::string> names;
    for (const auto& [binding, name] : bindings_by_name) names.emplace_back(name);
    return names;
}

std::string bind_process(Topology& topology, Binding binding, const PlaceOnNode& place) {
    if (topology.is_bound()) return "launcher";
    if (place.ranks > topology.cores()) return "nobody";
    // Neighbours in rank order stay together.
    const int node = place.rank * topology.numa_nodes() / place.ranks;
    const bool is_bound = (binding == Binding::core && topology.bind_to_core(place.rank)) ||
                          (binding == Binding::numa && topology.bind_to_numa_node(node));
    return is_bound ? "mpiaudit" : "nobody";
}

}  // namespace mpiaudit
