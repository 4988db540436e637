// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"

#include "collectives/allgather/local_copy.h"
#include "collectives/allgather/replicate.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

int ring_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm) {
    const Processes processes{comm};
    const int rank = processes.rank;
    const int size = processes.size;
    const Blocks blocks = Blocks::split(count, datatype, size);
    const Reduction largest_block{blocks.count(0), datatype, op};
    const OperandBuffer incoming = size > 1 ? largest_block.buffer(recvbuf) : OperandBuffer{};
    const int right = (rank + 1) % size;
    const int left = (rank - 1 + size) % size;
    if (sendbuf != MPI_IN_PLACE)
        local_copy(sendbuf, count, datatype, recvbuf, count, datatype, processes);
    // Block q starts at process q + 1 and is complete when it has come round to process q.
    for (int step = 1; step < size; ++step) {
        const int sent = (rank - step + size) % size;
        const int received = (rank - step - 1 + size) % size;
        messages::exchange(blocks.at(sent, recvbuf), blocks.count(sent), datatype, right,
                           message_tag, incoming.get(), blocks.count(received), datatype, left,
                           message_tag, processes.comm);
        messages::reduce_local(incoming.get(), blocks.at(received, recvbuf), blocks.count(received),
                               datatype, op);
    }
    replicate_by_ring(recvbuf, blocks, processes);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
