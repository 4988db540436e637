// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/bcast/circulant_blocks.h"
#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduce.h"
#include "messages/messages.h"

namespace mpiaudit {

// The broadcast backwards: who was sent a block there sends his part of its reduction here. He was
// sent it once, and before he passed it on, so that here all others' parts have come before.
int circulant_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, int root, MPI_Comm comm) {
    const Ranks ranks{comm, root};
    const Reduction reduction{count, datatype, op};
    const bool is_root = ranks.position == 0;
    const OperandBuffer own = is_root ? OperandBuffer{} : reduction.buffer();
    void* result = is_root ? recvbuf : own.get();
    if (sendbuf != MPI_IN_PLACE)
        copy_to_oneself(reduction.all_of(sendbuf), reduction.all_of(result), ranks);
    const int n = circulant_blocks(Blocks::split(result, count, datatype, 1), ranks);
    const Blocks blocks = Blocks::split(result, count, datatype, n);
    const OperandBuffer incoming{blocks.count(0), datatype};
    const CirculantBroadcast broadcast{ranks, n};
    for (int round = broadcast.rounds() - 1; round >= 0; --round) {
        const auto [taken, sender] = broadcast.sent(round);
        const auto [given, receiver] = broadcast.received(round);
        if (given >= 0 && taken >= 0)
            messages::exchange(blocks.at(given), blocks.count(given), datatype, receiver, Tag::data,
                               incoming.get(), blocks.count(taken), datatype, sender, Tag::data,
                               ranks.comm);
        else if (given >= 0)
            messages::send(blocks.at(given), blocks.count(given), datatype, receiver, Tag::data,
                           ranks.comm);
        else if (taken >= 0)
            messages::receive(incoming.get(), blocks.count(taken), datatype, sender, Tag::data,
                              ranks.comm);
        if (taken >= 0) reduction.combine(incoming.get(), blocks.message(taken));
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
