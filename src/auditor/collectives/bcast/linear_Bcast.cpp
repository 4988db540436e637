// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"

#include "collectives/call/ranks.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

int linear_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    const Ranks ranks{comm};
    if (ranks.rank != root) {
        messages::receive(buffer, count, datatype, root, Tag::data, ranks.comm);
        return MPI_SUCCESS;
    }
    for (int destination = 0; destination < ranks.size; ++destination) {
        if (destination != root)
            messages::send(buffer, count, datatype, destination, Tag::data, ranks.comm);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
