// SPDX-License-Identifier: BSD-3-Clause
#include "machine/placement.h"

#include <mpi.h>
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "collectives/gather/gather.h"
#include "messages/messages.h"
#include "text/nearest_name.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

constexpr std::array<std::pair<Binding, std::string_view>, 3> bindings_by_name{
    {{Binding::core, "core"}, {Binding::numa, "numa"}, {Binding::none, "none"}}};

/// Whether the k-th rank of host h is first(h) + k * step for all of them.
bool are_spaced(std::span<const Host> hosts, int first_step, int step) {
    for (std::size_t h = 0; h < hosts.size(); ++h) {
        int expected = static_cast<int>(h) * first_step;
        for (const int rank : hosts[h].ranks) {
            if (rank != expected) return false;
            expected += step;
        }
    }
    return true;
}

}  // namespace

std::optional<Binding> find_binding(std::string_view name) {
    for (const auto& [binding, known] : bindings_by_name) {
        if (known == name) return binding;
    }
    return std::nullopt;
}

std::vector<std::string> binding_names() {
    return names_of(bindings_by_name, [](const auto& each) { return each.second; });
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

RankPlacement placement_of(std::span<const Host> hosts) {
    RankPlacement placement{.hosts = static_cast<int>(hosts.size())};
    if (hosts.empty()) return placement;
    const auto [least, most] =
        std::ranges::minmax_element(hosts, {}, [](const Host& host) { return host.ranks.size(); });
    placement.least_ranks = static_cast<int>(least->ranks.size());
    placement.most_ranks = static_cast<int>(most->ranks.size());
    const bool is_even = placement.least_ranks == placement.most_ranks;
    if (is_even && are_spaced(hosts, placement.most_ranks, 1))
        placement.order = RankOrder::block;
    else if (are_spaced(hosts, 1, placement.hosts))
        placement.order = RankOrder::cyclic;
    else
        placement.order = RankOrder::irregular;
    return placement;
}

std::string_view name(RankOrder order) {
    constexpr std::string_view names[] = {"block", "cyclic", "irregular"};
    return names[static_cast<std::size_t>(order)];
}

std::vector<Host> hosts_of(const std::vector<std::string>& names) {
    std::vector<Host> hosts;
    std::map<std::string, std::size_t> place;
    for (std::size_t rank = 0; rank < names.size(); ++rank) {
        const auto [known, is_new] = place.try_emplace(names[rank], hosts.size());
        if (is_new) hosts.push_back({names[rank], {}, {}, {}});
        hosts[known->second].ranks.push_back(static_cast<int>(rank));
    }
    return hosts;
}

namespace {

using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;

Name own_name() {
    Name name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    return name;
}

}  // namespace

std::string processor_name() {
    return plain_line(own_name().data());
}

std::vector<std::string> processor_names() {
    const int rank = messages::rank_in(MPI_COMM_WORLD), ranks = messages::size_of(MPI_COMM_WORLD);
    const Name own = own_name();
    std::vector<Name> all(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
    const auto bytes = static_cast<int>(own.size());
    binomial_Gather(own.data(), bytes, MPI_CHAR, all.data(), bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    std::vector<std::string> names;
    for (const Name& name : all) names.push_back(plain_line(name.data()));
    return names;
}

}  // namespace mpiaudit
