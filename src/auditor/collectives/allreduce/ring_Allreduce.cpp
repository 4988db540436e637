// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"

#include "collectives/allgather/replicate.h"
#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

int ring_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm) {
    const Ranks ranks{comm};
    const int size = ranks.size;
    const Blocks blocks = Blocks::split(recvbuf, count, datatype, size);
    const Reduction largest_block{blocks.count(0), datatype, op};
    const OperandBuffer incoming = size > 1 ? largest_block.buffer() : OperandBuffer{};
    const int right = ranks.shifted(1);
    const int left = ranks.shifted(-1);
    if (sendbuf != MPI_IN_PLACE)
        copy_to_oneself({sendbuf, count, datatype}, {recvbuf, count, datatype}, ranks);
    // Block q starts at rank q + 1 and is complete when it has come round to rank q.
    for (int step = 1; step < size; ++step) {
        const TypedBuffer sent = blocks.message(ranks.shifted(-step));
        const TypedBuffer reduced = blocks.message((ranks.rank - step - 1 + size) % size);
        messages::exchange(sent.address, sent.count, datatype, right, Tag::data, incoming.get(),
                           reduced.count, datatype, left, Tag::data, ranks.comm);
        largest_block.combine(incoming.get(), reduced);
    }
    replicate_by_ring(blocks, ranks);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
