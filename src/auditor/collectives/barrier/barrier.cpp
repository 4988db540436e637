// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/barrier/barrier.h"

#include "collectives/call/ranks.h"

namespace mpiaudit {

int dissemination_Barrier(MPI_Comm comm) {
    const Ranks ranks{comm};
    for (int distance = 1; distance < ranks.size; distance *= 2)
        ranks.exchange({}, ranks.shifted(distance), {}, ranks.shifted(-distance));
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
