// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scan/scan_schedules.h"

namespace mpiaudit::schedules {
namespace {

/// Ranks at distance 1, 2, 4, ... exchange; the lower partner reduces once. `reductions` says how
/// often the other one does, given whether it has received from a lower one before.
template <class Reductions>
Trace recursive_doubling(const CostProblem& problem, Reductions reductions) {
    Trace schedule(problem.ranks());
    for (int mask = 1; mask < problem.ranks(); mask *= 2) {
        for (int rank = 0; rank < problem.ranks(); ++rank) {
            const int partner = rank ^ mask;
            if (partner >= problem.ranks()) continue;
            schedule.exchange(rank, partner, problem.bytes(), partner);
            const bool has_prefix = rank % mask > 0;
            schedule.reduce(rank, problem.bytes() * (partner > rank ? 1 : reductions(has_prefix)));
        }
    }
    return schedule;
}

}  // namespace

Trace linear_scan(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    for (int rank = 1; rank < problem.ranks(); ++rank) {
        schedule.message(rank - 1, rank, problem.bytes());
        schedule.reduce(rank, problem.bytes());
    }
    return schedule;
}

Trace linear_exscan(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    for (int rank = 1; rank < problem.ranks(); ++rank) {
        schedule.message(rank - 1, rank, problem.bytes());
        if (rank + 1 < problem.ranks()) schedule.reduce(rank, problem.bytes());
    }
    return schedule;
}

Trace recursive_doubling_scan(const CostProblem& problem) {
    return recursive_doubling(problem, [](bool) { return 2; });
}

Trace recursive_doubling_exscan(const CostProblem& problem) {
    return recursive_doubling(problem, [](bool has_prefix) { return has_prefix ? 2 : 1; });
}

}  // namespace mpiaudit::schedules
