// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include "collectives/allgather/replicate.h"
#include "messages/messages.h"

namespace mpiaudit {

void replicate_by_ring(void* buffer, const Blocks& blocks, const Processes& processes) {
    const int size = processes.size;
    const int rank = processes.rank;
    const int right = processes.process(rank + 1);
    const int left = processes.process(rank - 1 + size);
    for (int step = 1; step < size; ++step) {
        const int sent = (rank - step + 1 + size) % size;
        const int received = (rank - step + size) % size;
        messages::exchange(blocks.at(sent, buffer), blocks.count(sent), blocks.type(), right,
                           message_tag, blocks.at(received, buffer), blocks.count(received),
                           blocks.type(), left, message_tag, processes.comm);
    }
}

int ring_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return allgather_by(replicate_by_ring, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                        recvtype, comm);
}

int ring_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                    MPI_Comm comm) {
    return allgatherv_by(replicate_by_ring, sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                         displs, recvtype, comm);
}

}  // namespace mpiaudit
