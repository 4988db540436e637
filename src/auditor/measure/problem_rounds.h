// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "measure/prepared.h"
#include "measure/problem_record.h"
#include "measure/protocol.h"
#include "plan/plan.h"
#include "timing/rounds.h"
#include "timing/synchronisation.h"

namespace mpiaudit {

/// The prepared contestants of one problem, and what decides their rounds.
struct PreparedProblem {
    const PlannedProblem& planned;
    const std::vector<Guideline>& guidelines;
    const Protocol& protocol;
    const Workspaces& workspaces;
    Prepared& prepared;
};

/// Warms up and measures rounds until every check is decided, the rounds are over or `limit_s`
/// seconds have passed. Contestants are looked at again between the rounds, and all that were
/// measured after the last one: what is wrong then is wrong in `prepared`. Samples start after a
/// barrier, or in the window where there is one. The record is complete on rank 0. Collective.
/// \param selected 1 for each check that is to be decided; empty: all
RoundsRecord run_rounds(const PreparedProblem& problem, std::uint64_t order_seed, double limit_s,
                        StartWindow* window, const std::vector<char>& selected = {});

/// A contestant that has returned an error in `rounds` is wrong from now on. Throws WrongBarrier
/// where it was the synchronisation. \param failed as in Batch, the same on every rank. Collective.
void blame(Rounds& rounds, int failed, Prepared& prepared, MPI_Comm comm);

/// 1 for each check of the problem one of whose sides, an operation of the library, takes longer
/// with one heap (machine/heap.h) than with the other, by more than the tolerance: in each of a few
/// pairs of calls, which an equal pair passes with a probability of 5 %. No check where there is
/// little data, since no block is large then, and none where the pairs would take more than
/// `limit_s` seconds. Leaves the heap grown. Collective.
std::vector<char> checks_that_the_heap_changes(const PreparedProblem& problem,
                                               std::uint64_t order_seed, double limit_s);

}  // namespace mpiaudit
