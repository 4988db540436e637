// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/cost_problem.h"
#include "trace/trace.h"

namespace mpiaudit::schedules {

// What the algorithms of allgather.h send.
Trace ring_allgather(const CostProblem& problem);
Trace recursive_doubling_allgather(const CostProblem& problem);
Trace dissemination_allgather(const CostProblem& problem);
Trace simple_allgather(const CostProblem& problem);
Trace spreading_simple_allgather(const CostProblem& problem);
Trace gather_bcast_allgather(const CostProblem& problem);
Trace MPICH2004_allgather(const CostProblem& problem);

// Their exchanges as parts of other schedules: block q is at position q at first.
void replicate_by_ring(Trace& schedule, const BlockBytes& blocks, Positions positions);
void replicate_by_recursive_doubling(Trace& schedule, const BlockBytes& blocks,
                                     Positions positions);
/// The part of the process at `position` in pass_on_in_lower_half (replicate.h).
void pass_on_in_lower_half(Trace& schedule, std::int64_t bytes, int position, int tree, int mask,
                           int upper, Positions positions);

}  // namespace mpiaudit::schedules
