// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scatter/scatter_schedules.h"

#include <ranges>

#include "collectives/gather/gather_schedules.h"

namespace mpiaudit::schedules {
namespace {

/// Blocks move down a tree, to the last child first; an empty subtree is sent nothing.
void scatter_over_tree(Trace& schedule, const GatherTree& tree) {
    for (int rank = 0; rank < schedule.ranks(); ++rank) {
        const GatherNode& node = tree[static_cast<std::size_t>(rank)];
        if (node.parent >= 0 && node.own.amount > 0) schedule.receive(rank, node.parent);
        for (const Subtree& child : node.children | std::views::reverse)
            if (child.amount > 0) schedule.start_send(rank, child.root, child.amount);
        schedule.wait(rank);
    }
}

Trace scatter(const GatherTree& tree) {
    Trace schedule(static_cast<int>(tree.size()));
    scatter_over_tree(schedule, tree);
    return schedule;
}

Trace fixed_scatterv(const CostProblem& problem, int radix) {
    const GatherTree tree = fixed_tree(problem, radix);
    Trace schedule(problem.ranks());
    tell_amounts(schedule, tree);
    scatter_over_tree(schedule, tree);
    return schedule;
}

}  // namespace

Trace linear_scatter(const CostProblem& problem) {
    return scatter(linear_tree(problem));
}

Trace binomial_scatter(const CostProblem& problem) {
    return scatter(fixed_tree(problem, 2));
}

Trace knomial_scatter_radix4(const CostProblem& problem) {
    return scatter(fixed_tree(problem, 4));
}

Trace TUW_scatter(const CostProblem& problem) {
    return scatter(ordered_tree(problem));
}

Trace binomial_scatterv(const CostProblem& problem) {
    return fixed_scatterv(problem, 2);
}

Trace knomial_scatterv_radix4(const CostProblem& problem) {
    return fixed_scatterv(problem, 4);
}

Trace TUW_scatterv(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    construct_ordered_tree(schedule, problem);
    scatter_over_tree(schedule, ordered_tree(problem));
    return schedule;
}

}  // namespace mpiaudit::schedules
