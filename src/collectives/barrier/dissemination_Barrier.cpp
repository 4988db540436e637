// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/barrier/barrier.h"

#include "collectives/call/ranks.h"
#include "collectives/call/tags.h"

namespace mpiaudit {

int dissemination_Barrier(MPI_Comm comm) {
    const Ranks ranks{comm};
    for (int distance = 1; distance < ranks.size; distance *= 2) {
        MPI_Sendrecv(nullptr, 0, MPI_BYTE, ranks.shifted(distance), Tag::data, nullptr, 0, MPI_BYTE,
                     ranks.shifted(-distance), Tag::data, ranks.comm, MPI_STATUS_IGNORE);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
