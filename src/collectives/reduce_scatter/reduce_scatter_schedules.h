// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of reduce_scatter.h send and reduce.
Trace recursive_halving_reduce_scatter(const CostProblem& problem);
Trace recursive_doubling_reduce_scatter(const CostProblem& problem);
Trace pairwise_exchange_reduce_scatter(const CostProblem& problem);
Trace reduce_scatterv_reduce_scatter(const CostProblem& problem);
Trace MPICH2004_reduce_scatter(const CostProblem& problem);

/// The power of two of positions that is left of all (see Fold in fold.h): of the first 2 `pairs`
/// positions every second one.
struct FoldedPositions {
    explicit FoldedPositions(Positions all)
        : positions{all},
          survivors{power_of_two_from(all.size + 1) / 2},
          pairs{all.size - survivors} {}
    int rank(int survivor) const {
        return positions.rank(survivor < pairs ? 2 * survivor + 1 : survivor + pairs);
    }

    Positions positions;
    int survivors;
    int pairs;
};

// Parts of other schedules.
/// The positions that are not left hand their operands over; then they get results.
void fold_operands(Trace& schedule, std::int64_t bytes, const FoldedPositions& fold);
void unfold_results(Trace& schedule, std::int64_t bytes, const FoldedPositions& fold);
/// Recursive halving among those that are left; number s ends with part s.
void reduce_by_halving(Trace& schedule, const BlockBytes& parts, const FoldedPositions& fold);

}  // namespace mpiaudit::schedules
