// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhoods at the same offsets from all ranks of a torus, with fewer messages than there are
// neighbours.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "catalogue/message_combining.h"
#include "catalogue/operation_arrows.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using enum Holding;
using under_test::look_at;

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
        all.push_back({"MPI_Neighbor_allgather" + name, "neighbor", Kind::variant, scattered,
                       neighbouring, summary, prepare, equal_blocks | isomorphic});
        all.push_back({"MPI_Neighbor_alltoall" + name, "neighbor", Kind::variant, outgoing_edges,
                       incoming_edges, summary, prepare, equal_blocks | isomorphic});
    };
    add("[by dimensions]", "dimension by dimension, with all blocks that go as far in one message",
        combined<false>);
    add("[by dimensions if short]", "the same where fewer messages cost less than more blocks",
        combined<true>);
    return all;
}

}  // namespace mpiaudit
