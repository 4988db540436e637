// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/barrier/barrier_schedules.h"

namespace mpiaudit::schedules {

Trace dissemination_barrier(const CostProblem& problem) {
    const int size = problem.ranks();
    Trace schedule(size);
    for (int distance = 1; distance < size; distance *= 2)
        for (int rank = 0; rank < size; ++rank)
            schedule.exchange(rank, (rank + distance) % size, 0, (rank - distance + size) % size);
    return schedule;
}

}  // namespace mpiaudit::schedules
