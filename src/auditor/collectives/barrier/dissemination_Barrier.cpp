// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/barrier/barrier.h"

#include "collectives/call/ranks.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

int dissemination_Barrier(MPI_Comm comm) {
    const Ranks ranks{comm};
    for (int distance = 1; distance < ranks.size; distance *= 2) {
        messages::exchange(nullptr, 0, MPI_BYTE, ranks.shifted(distance), Tag::data, nullptr, 0,
                           MPI_BYTE, ranks.shifted(-distance), Tag::data, ranks.comm);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
