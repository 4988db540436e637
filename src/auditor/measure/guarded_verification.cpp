// SPDX-License-Identifier: BSD-3-Clause
// Defines verify_guarded() of verification.h.
#include "measure/verification.h"

#include <mpi.h>

#include "messages/under_test.h"
#include "mpi/environment.h"
#include "mpi/incident.h"
#include "mpi/library_algorithms.h"
#include "mpi/texts.h"
#include "problem/workspace.h"
#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

/// Limit in bytes per rank for guarded buffers, which take time to fill; patterns around all
/// buffers remain.
constexpr Count most_guarded_bytes = Count{1} << 20U;

std::optional<Fault> prepare_and_verify(const Path& path, const Instance& instance,
                                        Repetition repetition, Growth* growth = nullptr) {
    select_algorithm(nullptr);
    incident::take_broken_bound();  // errors of earlier verifications
    // prepare() calls persistent operations.
    under_test::enter();
    const Step prepared = path.prepare(instance);
    under_test::leave();
    select_algorithm(path.algorithm());
    return verify(prepared, path.from(), path.to(), instance, repetition, growth);
}

/// Verifies the path with protected pages behind and before its buffers. Returns the error, or
/// nullopt also if the buffers are empty, too large, or all ranks share memory.
std::optional<Fault> verify_bounds(const Path& path, const Instance& like) {
    const Problem& problem = like.problem();
    const Needs needs = path.needs();
    const Count bytes = needs.bytes(problem);
    if (platform().ranks_share_memory || bytes == 0 || bytes > most_guarded_bytes)
        return std::nullopt;
    const int rank = like.workspace.rank();
    for (const Memory memory : {Memory::guarded_behind, Memory::guarded_before}) {
        Workspace workspace(problem, rank, needs, memory);
        for (const Layout layout : needs.sources)
            Contents(problem, layout.holding).write(workspace.source(layout), rank);
        const Instance instance{workspace, like.comm, like.network};
        if (auto wrong = prepare_and_verify(path, instance, {})) return wrong;
    }
    return std::nullopt;
}

}  // namespace

Verified verify_guarded(const Path& path, const Instance& instance, Repetition repetition) {
    Verified verified{verify_bounds(path, instance), {}};
    if (!verified.wrong) {
        Growth growth;
        const bool is_known = !platform().ranks_share_memory;
        verified.wrong =
            prepare_and_verify(path, instance, repetition, is_known ? &growth : nullptr);
        if (is_known) verified.growth = growth;
    }
    if (path.algorithm() == nullptr) return verified;
    verified.refused = text_of_lowest_rank(take_refusal(), instance.comm);
    if (verified.refused) verified.wrong.reset();
    return verified;
}

}  // namespace mpiaudit
