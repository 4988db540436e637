// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/reduce_scatter_schedules.h"

#include "collectives/MPICH2004_limits.h"
#include "collectives/allgather/allgather_schedules.h"
#include "collectives/reduce/reduce_schedules.h"

namespace mpiaudit::schedules {

void fold_operands(Trace& schedule, std::int64_t bytes, const FoldedPositions& fold) {
    for (int pair = 0; pair < fold.pairs; ++pair) {
        schedule.message(fold.positions.rank(2 * pair), fold.rank(pair), bytes);
        schedule.reduce(fold.rank(pair), bytes);
    }
}

void unfold_results(Trace& schedule, std::int64_t bytes, const FoldedPositions& fold) {
    for (int pair = 0; pair < fold.pairs; ++pair)
        schedule.message(fold.rank(pair), fold.positions.rank(2 * pair), bytes);
}

void reduce_by_halving(Trace& schedule, const BlockBytes& parts, const FoldedPositions& fold) {
    for (int mask = fold.survivors / 2; mask > 0; mask /= 2) {
        for (int number = 0; number < fold.survivors; ++number) {
            const int partner = number ^ mask;
            schedule.exchange(fold.rank(number), fold.rank(partner),
                              parts.of(partner - partner % mask, mask), fold.rank(partner));
            schedule.reduce(fold.rank(number), parts.of(number - number % mask, mask));
        }
    }
}

Trace recursive_halving_reduce_scatter(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    const FoldedPositions fold({problem.ranks(), 0});
    fold_operands(schedule, problem.bytes(), fold);
    std::vector<std::int64_t> parts;
    for (int survivor = 0; survivor < fold.survivors; ++survivor) {
        const int rank = fold.rank(survivor);
        parts.push_back(problem.bytes(rank) +
                        (survivor < fold.pairs ? problem.bytes(rank - 1) : 0));
    }
    reduce_by_halving(schedule, BlockBytes(parts), fold);
    for (int pair = 0; pair < fold.pairs; ++pair)
        schedule.message(2 * pair + 1, 2 * pair, problem.bytes(2 * pair));
    return schedule;
}

Trace recursive_doubling_reduce_scatter(const CostProblem& problem) {
    const int size = problem.ranks();
    const BlockBytes blocks(problem.block_bytes());
    Trace schedule(size);
    for (int mask = 1; mask < size; mask *= 2) {
        for (int rank = 0; rank < size; ++rank) {
            const int tree = rank - rank % (2 * mask);
            const int upper = std::min(mask, size - tree - mask);
            if (upper <= 0) continue;
            const int middle = tree + mask;
            const bool is_low = rank < middle;
            // All blocks but those of the half that sends.
            const std::int64_t low_bytes = blocks.of(middle, size - mask);
            const std::int64_t high_bytes = blocks.of(middle + upper, size - upper);
            const int partner = rank ^ mask;
            if (partner < size)
                schedule.exchange(rank, partner, is_low ? low_bytes : high_bytes, partner);
            if (is_low)
                pass_on_in_lower_half(schedule, high_bytes, rank, tree, mask, upper, {size, 0});
            schedule.reduce(rank, is_low ? high_bytes : low_bytes);
        }
    }
    return schedule;
}

Trace pairwise_exchange_reduce_scatter(const CostProblem& problem) {
    const int size = problem.ranks();
    Trace schedule(size);
    for (int rank = 0; rank < size; ++rank) {
        for (int step = 1; step < size; ++step) {
            const int to = (rank + step) % size;
            const int from = (rank - step + size) % size;
            schedule.exchange(rank, to, problem.bytes(to), from);
            // The first operands that have to stay apart need no reduction yet.
            if (problem.is_commutative || from < size - 1 || rank == size - 1)
                schedule.reduce(rank, problem.bytes(rank));
        }
        if (!problem.is_commutative && rank < size - 1) schedule.reduce(rank, problem.bytes(rank));
    }
    return schedule;
}

Trace reduce_scatterv_reduce_scatter(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    reduce_by_binomial_tree(schedule, problem.bytes(), {problem.ranks(), 0});
    for (int rank = 1; rank < problem.ranks(); ++rank)
        schedule.message(0, rank, problem.bytes(rank));
    return schedule;
}

Trace MPICH2004_reduce_scatter(const CostProblem& problem) {
    using namespace MPICH2004_limits;
    if (problem.bytes() >=
        (problem.is_commutative ? long_reduce_scatter : long_noncommutative_reduce_scatter))
        return pairwise_exchange_reduce_scatter(problem);
    return problem.is_commutative ? recursive_halving_reduce_scatter(problem)
                                  : recursive_doubling_reduce_scatter(problem);
}

}  // namespace mpiaudit::schedules
