// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives by other operations and by messages; operation_arrows.h declares them.
#include <memory>
#include <vector>

#include "catalogue/bind.h"
#include "catalogue/operation_arrows.h"
#include "messages/messages.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using enum Holding;
using under_test::look_at;

constexpr int edge_tag = 2;

/// Exchanges a message for every edge. An allgather sends its own block to every neighbour.
Step messages_along_edges(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
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

/// Calls MPI_Alltoallv with empty blocks between ranks that are not neighbours.
Step dense_alltoallv(const Instance& instance, const Place& from, Layout to) {
    const int ranks = instance.problem().ranks();
    const auto of_neighbours = [ranks](const Place& place, std::span<const int> neighbours) {
        BlocksOfRanks blocks(ranks);
        for (std::size_t k = 0; k < neighbours.size(); ++k) {
            const auto at = static_cast<std::size_t>(neighbours[k]);
            blocks.counts[at] = place.counts[k];
            blocks.displacements[at] = place.displacements[k];
        }
        return blocks_of(blocks);
    };
    const Place result = instance.target(to);
    const Graph& graph = *instance.problem().graph;
    const auto rank = static_cast<std::size_t>(instance.rank());
    return {alltoallv(buffer_of(from), of_neighbours(from, graph.targets[rank]), buffer_of(result),
                      of_neighbours(result, graph.sources[rank]), from.type, instance.comm),
            result};
}

/// Every rank receives all blocks and keeps the blocks of its sources.
Step dense_allgather(const Instance& instance, const Place& from, Layout to) {
    const std::span<const int> sources =
        instance.problem().graph->sources[static_cast<std::size_t>(instance.rank())];
    return allgather_and_select(instance, from, to, {sources.begin(), sources.end()});
}

/// Goes from scattered to replicated at neighbours: every rank first copies its block for all its
/// targets.
Step neighbor_alltoall_of_copies(const Instance& instance, const Place& from, Layout to) {
    const std::size_t bytes = static_cast<std::size_t>(from.counts.front()) * from.extent;
    const std::size_t targets =
        instance.problem().graph->targets[static_cast<std::size_t>(instance.rank())].size();
    const auto copies = instance.scratch(bytes * targets);
    const Place sent{
        {outgoing_edges, from.layout.padded}, copies.get(), {}, {}, from.type, from.extent};
    Step step = prepare_blocking("MPI_Neighbor_alltoall")(instance, sent, to);
    step.call = [=, call = std::move(step.call), own = from.data] {
        for (std::size_t k = 0; k < targets && bytes > 0; ++k)
            messages::copy(copies.get() + k * bytes, own, bytes);
        call();
    };
    return step;
}

}  // namespace

std::vector<Arrow> neighbor_arrows() {
    constexpr auto along_edges = "a message for every edge of the graph, all at once";
    const auto row = [](const char* name, Holding from, Holding to, const char* summary,
                        Prepare prepare, unsigned needs = anything) {
        return Arrow{parse_form(name), "neighbor", Kind::variant, from, to,
                     summary,          prepare,    needs};
    };
    return {
        row("MPI_Neighbor_alltoall[of copies]", scattered, neighbouring,
            "every rank copies its block for all its neighbours first", neighbor_alltoall_of_copies,
            equal_blocks | presence_of("MPI_Neighbor_alltoall")),
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
            prepare_blocking("MPI_Neighbor_alltoall"),
            equal_blocks | presence_of("MPI_Neighbor_alltoall")),
        row("MPI_Neighbor_allgather[complete]", scattered, replicated,
            "the blocks of all, on the complete graph", prepare_blocking("MPI_Neighbor_allgather"),
            equal_blocks | presence_of("MPI_Neighbor_allgather")),
    };
}

}  // namespace mpiaudit
