// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/trace_of.h"

#include "collectives/patterns/node_communicators.h"
#include "messages/recorder.h"

namespace mpiaudit {
namespace {

int ranks_of_a_node(const Problem& problem) {
    if (problem.nodes <= 1) return 0;
    return problem.ranks_per_node > 0 ? problem.ranks_per_node
                                      : consecutive_ranks(problem.node_of_rank);
}

}  // namespace

Trace trace_of(const Arrow& arrow, const Problem& problem, bool padded, std::int64_t most_steps,
               const Watcher& watcher) {
    const Layout from{arrow.from, padded};
    const Layout to{arrow.to, padded};
    const auto prepare = [&](int rank) -> std::function<void()> {
        const auto workspace =
            std::make_shared<Workspace>(problem, rank, Needs{{from}, {to}}, Memory::phantom);
        // Recording sends no message, so any communicator will do.
        const Step step = arrow.prepare({*workspace, MPI_COMM_SELF}, workspace->source(from), to);
        if (watcher.prepared) watcher.prepared(rank, workspace->source(from), step.result);
        return [workspace, call = step.call] { call(); };
    };
    return replay(problem.ranks(), prepare, ranks_of_a_node(problem), most_steps, watcher.observer);
}

}  // namespace mpiaudit
