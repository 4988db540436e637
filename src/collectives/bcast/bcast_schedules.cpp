// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast_schedules.h"

#include "collectives/MPICH2004_limits.h"
#include "collectives/allgather/allgather_schedules.h"

namespace mpiaudit::schedules {
namespace {

/// Scatters the vector down a binomial tree and replicates its parts.
Trace van_de_Geijn(void (*replicate)(Trace&, const BlockBytes&, Positions),
                   const CostProblem& problem) {
    const Positions positions{problem.ranks(), problem.root};
    const BlockBytes blocks(problem.even_parts(positions.size));
    Trace schedule(positions.size);
    for (int mask = power_of_two_from(positions.size) / 2; mask > 0; mask /= 2)
        for (int parent = 0; parent + mask < positions.size; parent += 2 * mask)
            schedule.message(
                positions.rank(parent), positions.rank(parent + mask),
                blocks.of(parent + mask, std::min(mask, positions.size - parent - mask)));
    replicate(schedule, blocks, positions);
    return schedule;
}

}  // namespace

void broadcast_by_binomial_tree(Trace& schedule, std::int64_t bytes, Positions positions) {
    for (int mask = power_of_two_from(positions.size) / 2; mask > 0; mask /= 2)
        for (int parent = 0; parent + mask < positions.size; parent += 2 * mask)
            schedule.message(positions.rank(parent), positions.rank(parent + mask), bytes);
}

Trace linear_bcast(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    for (int rank = 0; rank < problem.ranks(); ++rank)
        if (rank != problem.root) schedule.message(problem.root, rank, problem.bytes());
    return schedule;
}

Trace binomial_bcast(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    broadcast_by_binomial_tree(schedule, problem.bytes(), {problem.ranks(), problem.root});
    return schedule;
}

Trace van_de_Geijn_recursive_doubling_bcast(const CostProblem& problem) {
    return van_de_Geijn(replicate_by_recursive_doubling, problem);
}

Trace van_de_Geijn_ring_bcast(const CostProblem& problem) {
    return van_de_Geijn(replicate_by_ring, problem);
}

Trace MPICH2004_bcast(const CostProblem& problem) {
    if (problem.bytes() < MPICH2004_limits::long_bcast) return binomial_bcast(problem);
    return problem.bytes() < MPICH2004_limits::very_long_bcast
               ? van_de_Geijn_recursive_doubling_bcast(problem)
               : van_de_Geijn_ring_bcast(problem);
}

}  // namespace mpiaudit::schedules
