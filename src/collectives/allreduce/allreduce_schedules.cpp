// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce_schedules.h"

#include "collectives/MPICH2004_limits.h"
#include "collectives/allgather/allgather_schedules.h"
#include "collectives/bcast/bcast_schedules.h"
#include "collectives/reduce/reduce_schedules.h"
#include "collectives/reduce_scatter/reduce_scatter_schedules.h"

namespace mpiaudit::schedules {

void allreduce_by_recursive_doubling(Trace& schedule, std::int64_t bytes) {
    const FoldedPositions fold({schedule.ranks(), 0});
    fold_operands(schedule, bytes, fold);
    for (int mask = 1; mask < fold.survivors; mask *= 2) {
        for (int number = 0; number < fold.survivors; ++number) {
            const int partner = fold.rank(number ^ mask);
            schedule.exchange(fold.rank(number), partner, bytes, partner);
            schedule.reduce(fold.rank(number), bytes);
        }
    }
    unfold_results(schedule, bytes, fold);
}

Trace reduce_bcast_allreduce(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    reduce_by_binomial_tree(schedule, problem.bytes(), {problem.ranks(), 0});
    broadcast_by_binomial_tree(schedule, problem.bytes(), {problem.ranks(), 0});
    return schedule;
}

Trace recursive_doubling_allreduce(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    allreduce_by_recursive_doubling(schedule, problem.bytes());
    return schedule;
}

Trace Rabenseifner_allreduce(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    const FoldedPositions fold({problem.ranks(), 0});
    fold_operands(schedule, problem.bytes(), fold);
    const BlockBytes parts(problem.even_parts(fold.survivors));
    reduce_by_halving(schedule, parts, fold);
    for (int mask = 1; mask < fold.survivors; mask *= 2) {
        for (int number = 0; number < fold.survivors; ++number) {
            const int partner = fold.rank(number ^ mask);
            schedule.exchange(fold.rank(number), partner, parts.of(number - number % mask, mask),
                              partner);
        }
    }
    unfold_results(schedule, problem.bytes(), fold);
    return schedule;
}

Trace ring_allreduce(const CostProblem& problem) {
    const int size = problem.ranks();
    const BlockBytes parts(problem.even_parts(size));
    Trace schedule(size);
    for (int step = 1; step < size; ++step) {
        for (int rank = 0; rank < size; ++rank) {
            schedule.exchange(rank, (rank + 1) % size, parts.of(rank - step + size),
                              (rank - 1 + size) % size);
            schedule.reduce(rank, parts.of(rank - step - 1 + size));
        }
    }
    replicate_by_ring(schedule, parts, {size, 0});
    return schedule;
}

Trace MPICH2004_allreduce(const CostProblem& problem) {
    const bool is_long = problem.bytes() > MPICH2004_limits::short_reduce;
    return is_long && problem.is_predefined ? Rabenseifner_allreduce(problem)
                                            : recursive_doubling_allreduce(problem);
}

}  // namespace mpiaudit::schedules
