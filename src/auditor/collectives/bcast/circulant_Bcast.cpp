// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/bcast.h"
#include "collectives/bcast/circulant_blocks.h"
#include "collectives/call/tags.h"
#include "messages/messages.h"

namespace mpiaudit {

int circulant_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    const Ranks ranks{comm, root};
    const int n = circulant_blocks(Blocks::split(buffer, count, datatype, 1), ranks);
    const Blocks blocks = Blocks::split(buffer, count, datatype, n);
    const CirculantBroadcast broadcast{ranks, n};
    for (int round = 0; round < broadcast.rounds(); ++round) {
        const auto [given, receiver] = broadcast.sent(round);
        const auto [taken, sender] = broadcast.received(round);
        if (given >= 0 && taken >= 0)
            messages::exchange(blocks.at(given), blocks.count(given), datatype, receiver, Tag::data,
                               blocks.at(taken), blocks.count(taken), datatype, sender, Tag::data,
                               ranks.comm);
        else if (given >= 0)
            messages::send(blocks.at(given), blocks.count(given), datatype, receiver, Tag::data,
                           ranks.comm);
        else if (taken >= 0)
            messages::receive(blocks.at(taken), blocks.count(taken), datatype, sender, Tag::data,
                              ranks.comm);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
