// SPDX-License-Identifier: BSD-3-Clause
#include "measure/guarded_verification.h"

#include "measure/verification.h"
#include "messages/under_test.h"
#include "mpi/library_algorithms.h"
#include "mpi/texts.h"
#include "problem/contents.h"
#include "simulation/platform.h"

namespace mpiaudit {
namespace {

/// Beyond that the time to fill them would be felt.
constexpr Count most_bytes = Count{16} << 20U;

std::optional<std::string> prepare_and_verify(const Path& path, const Instance& instance,
                                              Repetition repetition) {
    select_algorithm(nullptr);
    // Persistent operations are called here already.
    under_test::enter();
    const Step prepared = path.prepare(instance);
    under_test::leave();
    select_algorithm(path.algorithm());
    return verify(prepared, path.from(), path.to(), instance, repetition);
}

std::optional<std::string> verify_bounds(const Path& path, const Instance& like) {
    const Problem& problem = like.problem();
    const Needs needs = path.needs();
    const Count bytes = needs.bytes(problem);
    if (platform().ranks_share_memory || bytes == 0 || bytes > most_bytes) return std::nullopt;
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

Verified verify_guarded(const Path& path, const Instance& instance) {
    Verified verified{verify_bounds(path, instance), {}};
    if (!verified.wrong) verified.wrong = prepare_and_verify(path, instance, several);
    if (path.algorithm() == nullptr) return verified;
    verified.refused = text_of_lowest_rank(take_refusal(), instance.comm);
    if (verified.refused) verified.wrong.reset();
    return verified;
}

}  // namespace mpiaudit
