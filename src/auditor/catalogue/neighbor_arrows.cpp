// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives, on the graph of the problem.
#include <cstring>
#include <memory>
#include <vector>

#include "catalogue/neighbor_functions.h"
#include "catalogue/table.h"
#include "catalogue/tables.h"
#include "catalogue/variant.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using enum Holding;
using under_test::look_at;

constexpr int edge_tag = 2;

/// What a library may look at where there is nothing to receive or to send.
std::byte nothing_there{};
int no_count = 0;

void* buffer(const Place& place) {
    return place.data != nullptr ? static_cast<void*>(place.data) : &nothing_there;
}
const int* counts(const Place& place) {
    return place.counts.empty() ? &no_count : place.counts.data();
}
const int* displacements(const Place& place) {
    return place.displacements.empty() ? &no_count : place.displacements.data();
}

/// With the neighbours of the problem: of a distributed graph, or where this is asked for of a
/// Cartesian one.
MPI_Comm communicator_of_neighbours(const Instance& instance) {
    const Graph& graph = *instance.problem().graph;
    static constexpr Variant as_usual;
    const Variant& way = instance.called_as != nullptr ? *instance.called_as : as_usual;
    return way.is_cartesian
               ? cartesian_communicator(instance.comm, graph.dimensions, way.is_reordered)
               : graph_communicator(instance.comm, graph, way.is_reordered);
}

/// The call with these arguments after the communicator of the neighbours. On a reordered one the
/// buffers are as long for one rank as for another.
template <auto function, class... Arguments>
Step among_neighbours(const Instance& instance, const Place& result, Arguments... arguments) {
    const MPI_Comm comm = communicator_of_neighbours(instance);
    Step step{bound_call(function, comm, arguments...), result};
    if (instance.called_as != nullptr && instance.called_as->is_reordered)
        step.data_of_rank = messages::rank_in(comm);
    return step;
}

/// With the signature of MPI_Neighbor_allgather: all blocks have the size of the own one.
struct NeighborAllgather {
    static constexpr Common common{
        .collective = "neighbor", .from = scattered, .to = neighbouring, .needs = equal_blocks};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const int count = from.counts.front();
        return among_neighbours<function>(instance, result, from.data, count, from.type,
                                          buffer(result), count, from.type);
    }
};

struct NeighborAllgatherv {
    static constexpr Common common{.collective = "neighbor", .from = scattered, .to = neighbouring};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        return among_neighbours<function>(instance, result, from.data, from.counts.front(),
                                          from.type, buffer(result), counts(result),
                                          displacements(result), from.type);
    }
};

struct NeighborAlltoall {
    static constexpr Common common{.collective = "neighbor",
                                   .from = outgoing_edges,
                                   .to = incoming_edges,
                                   .needs = equal_blocks};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const int count = narrow(instance.problem().largest());
        return among_neighbours<function>(instance, result, buffer(from), count, from.type,
                                          buffer(result), count, from.type);
    }
};

struct NeighborAlltoallv {
    static constexpr Common common{
        .collective = "neighbor", .from = outgoing_edges, .to = incoming_edges};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        return among_neighbours<function>(instance, result, buffer(from), counts(from),
                                          displacements(from), from.type, buffer(result),
                                          counts(result), displacements(result), from.type);
    }
};

/// With the signature of MPI_Neighbor_alltoallw, whose displacements are addresses in bytes.
struct NeighborAlltoallw {
    static constexpr Common common = NeighborAlltoallv::common;

    struct Arguments {
        std::vector<MPI_Aint> displacements;
        std::vector<MPI_Datatype> types;
        explicit Arguments(const Place& place) {
            for (const int each : place.displacements)
                displacements.push_back(each * static_cast<MPI_Aint>(place.extent));
            displacements.resize(displacements.size() + 1);
            types.assign(displacements.size(), place.type);
        }
    };

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        const auto sent = std::make_shared<const Arguments>(from);
        const auto received = std::make_shared<const Arguments>(result);
        Step step = among_neighbours<function>(
            instance, result, buffer(from), counts(from), sent->displacements.data(),
            sent->types.data(), buffer(result), counts(result), received->displacements.data(),
            received->types.data());
        step.call = [sent, received, call = step.call] { call(); };
        return step;
    }
};

/// By a message for every edge. `own_block`: every neighbour gets the same.
Step by_messages(const Instance& instance, const Place& from, const Place& result) {
    const Graph& graph = *instance.problem().graph;
    const auto rank = static_cast<std::size_t>(instance.rank());
    const bool own_block = from.layout.holding == scattered;
    const std::span<const int> targets = graph.targets[rank];
    const std::span<const int> sources = graph.sources[rank];
    const auto requests =
        std::make_shared<std::vector<MPI_Request>>(targets.size() + sources.size());
    return {[=, comm = instance.comm] {
                auto request = requests->begin();
                for (std::size_t k = 0; k < sources.size(); ++k, ++request)
                    look_at(MPI_Irecv(result.block(k), result.counts[k], result.type, sources[k],
                                      edge_tag, comm, &*request));
                for (std::size_t k = 0; k < targets.size(); ++k, ++request) {
                    const std::size_t block = own_block ? 0 : k;
                    look_at(MPI_Isend(from.block(block), from.counts[block], from.type, targets[k],
                                      edge_tag, comm, &*request));
                }
                look_at(MPI_Waitall(static_cast<int>(requests->size()), requests->data(),
                                    MPI_STATUSES_IGNORE));
            },
            result};
}

Step messages_along_edges(const Instance& instance, const Place& from, Layout to) {
    return by_messages(instance, from, instance.target(to));
}

/// MPI_Alltoallv with nothing between ranks that are no neighbours.
Step dense_alltoallv(const Instance& instance, const Place& from, Layout to) {
    struct Blocks {
        std::vector<int> counts, displacements;
        Blocks(const Place& place, std::span<const int> neighbours, int ranks)
            : counts(static_cast<std::size_t>(ranks)), displacements(counts) {
            for (std::size_t k = 0; k < neighbours.size(); ++k) {
                const auto at = static_cast<std::size_t>(neighbours[k]);
                counts[at] = place.counts[k];
                displacements[at] = place.displacements[k];
            }
        }
    };
    const Place result = instance.target(to);
    const Graph& graph = *instance.problem().graph;
    const auto rank = static_cast<std::size_t>(instance.rank());
    const int ranks = instance.problem().ranks();
    const auto sent = std::make_shared<const Blocks>(from, graph.targets[rank], ranks);
    const auto received = std::make_shared<const Blocks>(result, graph.sources[rank], ranks);
    return {[=, comm = instance.comm] {
                look_at(MPI_Alltoallv(buffer(from), sent->counts.data(), sent->displacements.data(),
                                      from.type, buffer(result), received->counts.data(),
                                      received->displacements.data(), from.type, comm));
            },
            result};
}

/// Everybody gets all blocks and keeps those of its sources.
Step dense_allgather(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const std::span<const int> sources =
        instance.problem().graph->sources[static_cast<std::size_t>(instance.rank())];
    const int count = from.counts.front();
    const std::size_t block_bytes = static_cast<std::size_t>(count) * from.extent;
    const auto all = instance.workspace.scratch(
        block_bytes * static_cast<std::size_t>(instance.problem().ranks()));
    return {
        [=, comm = instance.comm] {
            look_at(MPI_Allgather(from.data, count, from.type, all.get(), count, from.type, comm));
            for (std::size_t k = 0; k < sources.size() && block_bytes > 0; ++k)
                std::memcpy(result.block(k),
                            all.get() + static_cast<std::size_t>(sources[k]) * block_bytes,
                            block_bytes);
        },
        result};
}

/// scattered -> replicated at neighbours: every rank copies its block for all its targets first.
template <auto alltoall>
Step neighbor_alltoall_of_copies(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    if constexpr (std::is_same_v<decltype(alltoall), Absent>) {
        return {{}, result};
    } else {
        const int count = from.counts.front();
        const std::size_t bytes = static_cast<std::size_t>(count) * from.extent;
        const std::size_t targets =
            instance.problem().graph->targets[static_cast<std::size_t>(instance.rank())].size();
        const auto copies = instance.workspace.scratch(bytes * targets);
        return {[=, comm = communicator_of_neighbours(instance)] {
                    for (std::size_t k = 0; k < targets && bytes > 0; ++k)
                        std::memcpy(copies.get() + k * bytes, from.data, bytes);
                    look_at(alltoall(copies.get(), count, from.type, buffer(result), count,
                                     from.type, comm));
                },
                result};
    }
}

/// A dense collective as one on the complete graph, with every rank its own neighbour, too.
template <auto function>
Step on_complete_graph(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const int count = narrow(instance.problem().largest());
    return {bound_call(function, complete_communicator(instance.comm), from.data, count, from.type,
                       result.data, count, from.type),
            result};
}

}  // namespace

std::vector<Arrow> neighbor_arrows() {
    constexpr auto along_edges = "a message for every edge of the graph, all at once";
    const auto row = [](const char* name, Holding from, Holding to, const char* summary,
                        Prepare prepare, unsigned needs = anything) {
        return Arrow{name, "neighbor", Kind::variant, from, to, summary, prepare, needs};
    };
    Table table;
    table.operations = {
        native<NeighborAllgather, neighbor::allgather, neighbor::iallgather,
               neighbor::allgather_init>("MPI_Neighbor_allgather",
                                         "every rank gets equal blocks of its neighbours"),
        native<NeighborAllgatherv, neighbor::allgatherv, neighbor::iallgatherv,
               neighbor::allgatherv_init>("MPI_Neighbor_allgatherv",
                                          "every rank gets blocks of any size of its neighbours"),
        native<NeighborAlltoall, neighbor::alltoall, neighbor::ialltoall, neighbor::alltoall_init>(
            "MPI_Neighbor_alltoall", "neighbours exchange equal blocks"),
        native<NeighborAlltoallv, neighbor::alltoallv, neighbor::ialltoallv,
               neighbor::alltoallv_init>("MPI_Neighbor_alltoallv",
                                         "neighbours exchange blocks of any size"),
        native<NeighborAlltoallw, neighbor::alltoallw, neighbor::ialltoallw,
               neighbor::alltoallw_init>("MPI_Neighbor_alltoallw",
                                         "neighbours exchange blocks of any type"),
    };
    table.other_uses = {
        row("MPI_Neighbor_alltoall[of copies]", scattered, neighbouring,
            "every rank copies its block for all its neighbours first",
            neighbor_alltoall_of_copies<neighbor::alltoall>,
            equal_blocks | presence<neighbor::alltoall>()),
        row("MPI_Neighbor_allgatherv[by MPI_Isend]", scattered, neighbouring, along_edges,
            messages_along_edges),
        row("MPI_Neighbor_alltoallv[by MPI_Isend]", outgoing_edges, incoming_edges, along_edges,
            messages_along_edges),
        row("MPI_Neighbor_alltoallv[by MPI_Alltoallv]", outgoing_edges, incoming_edges,
            "with nothing between ranks that are no neighbours", dense_alltoallv),
        row("MPI_Neighbor_allgather[by MPI_Allgather]", scattered, neighbouring,
            "every rank gets all blocks and keeps those of its neighbours", dense_allgather,
            equal_blocks),
        row("MPI_Neighbor_alltoall[complete]", outgoing, incoming,
            "the exchange between all, on the complete graph",
            on_complete_graph<neighbor::alltoall>, equal_blocks | presence<neighbor::alltoall>()),
        row("MPI_Neighbor_allgather[complete]", scattered, replicated,
            "the blocks of all, on the complete graph", on_complete_graph<neighbor::allgather>,
            equal_blocks | presence<neighbor::allgather>()),
    };
    return arrows(table);
}

}  // namespace mpiaudit
