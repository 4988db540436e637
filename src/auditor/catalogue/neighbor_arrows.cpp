// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives by other operations and by messages.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "catalogue/bind.h"
#include "catalogue/message_combining.h"
#include "catalogue/operation_arrows.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using enum Holding;
using under_test::look_at;

constexpr int edge_tag = 2;

/// By a message for every edge. `own_block`: every neighbour gets the same.
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

/// MPI_Alltoallv with nothing between ranks that are no neighbours.
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

/// Everybody gets all blocks and keeps those of its sources.
Step dense_allgather(const Instance& instance, const Place& from, Layout to) {
    const std::span<const int> sources =
        instance.problem().graph->sources[static_cast<std::size_t>(instance.rank())];
    return allgather_and_select(instance, from, to, {sources.begin(), sources.end()});
}

/// scattered -> replicated at neighbours: every rank copies its block for all its targets first.
Step neighbor_alltoall_of_copies(const Instance& instance, const Place& from, Layout to) {
    const std::size_t bytes = static_cast<std::size_t>(from.counts.front()) * from.extent;
    const std::size_t targets =
        instance.problem().graph->targets[static_cast<std::size_t>(instance.rank())].size();
    const auto copies = instance.workspace.scratch(bytes * targets);
    const Place sent{
        {outgoing_edges, from.layout.padded}, copies.get(), {}, {}, from.type, from.extent};
    Step step = prepare_blocking("MPI_Neighbor_alltoall")(instance, sent, to);
    step.call = [=, call = std::move(step.call), own = from.data] {
        for (std::size_t k = 0; k < targets && bytes > 0; ++k)
            std::memcpy(copies.get() + k * bytes, own, bytes);
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

// Neighbourhoods at the same offsets from all ranks of a torus, with fewer messages than there are
// neighbours.

namespace {

constexpr int combining_tag = 3;

struct Copy {
    std::byte* to;
    const std::byte* from;
};

/// A message of a schedule between buffers: what it sends is copied together before.
struct BoundMessage {
    int to, from, count;
    std::vector<Copy> together;
    const std::byte* sent;
    std::byte* received;
};

/// A schedule of this rank, with the memory of what is on its way.
class BoundSchedule {
  public:
    BoundSchedule(const Instance& instance, const Place& from, const Place& result,
                  const CombiningSchedule& schedule)
        : comm_{instance.comm},
          type_{from.type},
          bytes_{static_cast<std::size_t>(instance.problem().largest()) * from.extent} {
        const Graph& graph = *instance.problem().graph;
        const auto rank = static_cast<std::size_t>(instance.rank());
        const Count block = instance.problem().largest();
        std::vector<std::byte*> places(static_cast<std::size_t>(schedule.places));
        const auto place = [&](int which) -> std::byte*& {
            return places[static_cast<std::size_t>(which)];
        };
        // What is sent are the first places: the own block, or that for each target.
        for (std::size_t k = 0; k < from.counts.size(); ++k) places[k] = from.block(k);
        // Blocks of the result stand as the sources do.
        const auto end_of = [&](std::size_t k) {
            const int source = graph.rank_at(instance.rank(), graph.offsets[k], -1);
            const auto sources = graph.sources[rank];
            return result.block(
                static_cast<std::size_t>(std::ranges::find(sources, source) - sources.begin()));
        };
        for (const auto& phase : schedule.phases) {
            phases_.emplace_back();
            for (const auto& message : phase) {
                const std::size_t blocks = message.sent.size();
                BoundMessage bound{graph.rank_at(instance.rank(), message.hop, 1),
                                   graph.rank_at(instance.rank(), message.hop, -1),
                                   narrow(static_cast<Count>(blocks) * block),
                                   {},
                                   place(message.sent.front()),
                                   nullptr};
                if (blocks > 1) {
                    std::byte* together = memory(instance.workspace, blocks);
                    bound.sent = together;
                    for (const int each : message.sent) {
                        bound.together.push_back({together, place(each)});
                        together += bytes_;
                    }
                }
                // A block that has arrived alone is received where it stays.
                const auto last = std::ranges::find(schedule.last, message.received.front());
                bound.received =
                    blocks == 1 && last != schedule.last.end()
                        ? end_of(static_cast<std::size_t>(last - schedule.last.begin()))
                        : memory(instance.workspace, blocks);
                for (std::size_t i = 0; i < blocks; ++i)
                    place(message.received[i]) = bound.received + i * bytes_;
                phases_.back().push_back(std::move(bound));
            }
        }
        for (std::size_t k = 0; k < schedule.last.size(); ++k)
            if (place(schedule.last[k]) != end_of(k))
                in_the_end_.push_back({end_of(k), place(schedule.last[k])});
        std::size_t most = 0;
        for (const auto& phase : phases_) most = std::max(most, phase.size());
        requests_.resize(2 * most, MPI_REQUEST_NULL);
    }

    void operator()() {
        for (const auto& phase : phases_) {
            MPI_Request* request = requests_.data();
            for (const BoundMessage& each : phase)
                look_at(MPI_Irecv(each.received, each.count, type_, each.from, combining_tag, comm_,
                                  request++));
            for (const BoundMessage& each : phase) {
                copy(each.together);
                look_at(MPI_Isend(each.sent, each.count, type_, each.to, combining_tag, comm_,
                                  request++));
            }
            look_at(MPI_Waitall(static_cast<int>(2 * phase.size()), requests_.data(),
                                MPI_STATUSES_IGNORE));
        }
        copy(in_the_end_);
    }

  private:
    std::byte* memory(const Workspace& workspace, std::size_t blocks) {
        memory_.push_back(workspace.scratch(blocks * bytes_));
        return memory_.back().get();
    }
    void copy(const std::vector<Copy>& copies) const {
        for (const Copy& each : copies)
            if (bytes_ > 0) std::memcpy(each.to, each.from, bytes_);
    }

    MPI_Comm comm_;
    MPI_Datatype type_;
    std::size_t bytes_;  ///< from one block to the next
    std::vector<std::vector<BoundMessage>> phases_;
    std::vector<Copy> in_the_end_;
    std::vector<std::shared_ptr<std::byte>> memory_;
    std::vector<MPI_Request> requests_;  ///< of a phase: what is timed allocates nothing
};

template <bool only_if_short>
Step combined(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    const Problem& problem = instance.problem();
    const bool gives_one = from.layout.holding == scattered;
    const auto offsets = problem.graph->offsets;
    return {BoundSchedule(instance, from, result,
                          only_if_short ? by_dimensions_if_short(
                                              offsets, gives_one,
                                              problem.largest() *
                                                  static_cast<Count>(problem.element->data_bytes()))
                                        : by_dimensions(offsets, gives_one)),
            result};
}

}  // namespace

std::vector<Arrow> combining_arrows() {
    std::vector<Arrow> all;
    const auto add = [&](std::string name, const char* summary, Prepare prepare) {
        all.push_back({parse_form("MPI_Neighbor_allgather" + name), "neighbor", Kind::variant,
                       scattered, neighbouring, summary, prepare, equal_blocks | isomorphic});
        all.push_back({parse_form("MPI_Neighbor_alltoall" + name), "neighbor", Kind::variant,
                       outgoing_edges, incoming_edges, summary, prepare,
                       equal_blocks | isomorphic});
    };
    add("[by dimensions]", "dimension by dimension, with all blocks that go as far in one message",
        combined<false>);
    add("[by dimensions if short]", "the same where fewer messages cost less than more blocks",
        combined<true>);
    return all;
}

}  // namespace mpiaudit
