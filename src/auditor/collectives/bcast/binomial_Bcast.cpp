// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"

#include "collectives/bcast/broadcast.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

void broadcast_by_binomial_tree(const TypedBuffer& data, const Ranks& ranks) {
    int mask = 1;
    while (mask < ranks.size && !(ranks.position & mask)) mask *= 2;
    if (ranks.position > 0)
        messages::receive(data.address, data.count, data.type, ranks.shifted(-mask), Tag::data,
                          ranks.comm);
    for (mask /= 2; mask > 0; mask /= 2) {
        if (ranks.position + mask >= ranks.size) continue;
        messages::send(data.address, data.count, data.type, ranks.shifted(mask), Tag::data,
                       ranks.comm);
    }
}

int binomial_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    broadcast_by_binomial_tree({buffer, count, datatype}, Ranks{comm, root});
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
