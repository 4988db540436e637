// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce/reduce_schedules.h"

#include "collectives/MPICH2004_limits.h"
#include "collectives/gather/ordered_tree.h"
#include "collectives/reduce_scatter/reduce_scatter_schedules.h"

namespace mpiaudit::schedules {

void reduce_by_binomial_tree(Trace& schedule, std::int64_t bytes, Positions positions) {
    for (int mask = 1; mask < positions.size; mask *= 2) {
        for (int parent = 0; parent + mask < positions.size; parent += 2 * mask) {
            schedule.message(positions.rank(parent + mask), positions.rank(parent), bytes);
            schedule.reduce(positions.rank(parent), bytes);
        }
    }
}

Trace linear_reduce(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    const int last = problem.ranks() - 1;
    for (int source = last; source >= 0; --source) {
        if (source != problem.root) schedule.message(source, problem.root, problem.bytes());
        if (source != last) schedule.reduce(problem.root, problem.bytes());
    }
    return schedule;
}

Trace binomial_reduce(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    const int first = problem.is_commutative ? problem.root : 0;
    reduce_by_binomial_tree(schedule, problem.bytes(), {problem.ranks(), first});
    if (first != problem.root) schedule.message(first, problem.root, problem.bytes());
    return schedule;
}

Trace Rabenseifner_reduce(const CostProblem& problem) {
    const int size = problem.ranks();
    Trace schedule(size);
    // The root is the first of those that are left.
    const bool is_power_of_two = power_of_two_from(size) == size;
    const FoldedPositions left({size, is_power_of_two ? problem.root : problem.root - 1 + size});
    fold_operands(schedule, problem.bytes(), left);
    const BlockBytes parts(problem.even_parts(left.survivors));
    reduce_by_halving(schedule, parts, left);
    for (int mask = 1; mask < left.survivors; mask *= 2)
        for (int parent = 0; parent < left.survivors; parent += 2 * mask)
            schedule.message(left.rank(parent + mask), left.rank(parent),
                             parts.of(parent + mask, mask));
    return schedule;
}

Trace MPICH2004_reduce(const CostProblem& problem) {
    const bool is_long = problem.bytes() > MPICH2004_limits::short_reduce;
    return is_long && problem.is_predefined ? Rabenseifner_reduce(problem)
                                            : binomial_reduce(problem);
}

Trace TUW_reduce(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    if (problem.bytes() == 0) return schedule;
    for (int rank = 0; rank < problem.ranks(); ++rank) {
        const GatherNode node = regular_ordered_node(rank, problem.ranks(), problem.root, 1);
        for (const Subtree& child : node.children) {
            schedule.receive(rank, child.root);
            schedule.reduce(rank, problem.bytes());
        }
        if (rank != problem.root) schedule.send(rank, node.parent, problem.bytes());
    }
    return schedule;
}

}  // namespace mpiaudit::schedules
