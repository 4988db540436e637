// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "collectives/gather/gather_tree.h"
#include "collectives/gather/ordered_tree.h"
#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of gather.h send. Those for several ports are taken on a single one.
Trace linear_gather(const CostProblem& problem);
Trace binomial_gather(const CostProblem& problem);
Trace knomial_gather_radix4(const CostProblem& problem);
Trace segmented_binomial_gather(const CostProblem& problem);
Trace TUW_gather(const CostProblem& problem);
Trace binomial_gatherv(const CostProblem& problem);
Trace knomial_gatherv_radix4(const CostProblem& problem);
Trace TUW_gatherv(const CostProblem& problem);
Trace TUW_gatherv_degrading(const CostProblem& problem);
Trace TUW_gatherv_k2(const CostProblem& problem);
Trace TUW_gatherv_k3(const CostProblem& problem);

// Parts of gather and scatter: trees with amounts in bytes, one node per rank.
using GatherTree = std::vector<GatherNode>;
GatherTree linear_tree(const CostProblem& problem);
GatherTree fixed_tree(const CostProblem& problem, int radix);
GatherTree ordered_tree(const CostProblem& problem, const OrderedTreeOptions& options = {});
/// Subtrees tell their amounts (fixed_tree.h).
void tell_amounts(Trace& schedule, const GatherTree& tree);
/// The ranks find the ordered tree (Träff 2017, Lemma 3).
void construct_ordered_tree(Trace& schedule, const CostProblem& problem,
                            const OrderedTreeOptions& options = {});

}  // namespace mpiaudit::schedules
