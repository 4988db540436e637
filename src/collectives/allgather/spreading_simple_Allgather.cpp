// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/allgather.h"

#include "collectives/allgather/replicate.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

void replicate_spreading(void* buffer, const Blocks& blocks, const Processes& processes) {
    const int rank = processes.rank;
    for (int step = 1; step < processes.size; ++step) {
        const int destination = processes.process(rank + step);
        const int source = processes.process(rank - step + processes.size);
        messages::exchange(blocks.at(rank, buffer), blocks.count(rank), blocks.type(), destination,
                           message_tag, blocks.at(source, buffer), blocks.count(source),
                           blocks.type(), source, message_tag, processes.comm);
    }
}

}  // namespace

int spreading_simple_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                               void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return allgather_by(replicate_spreading, sendbuf, sendcount, sendtype, recvbuf, recvcount,
                        recvtype, comm);
}

int spreading_simple_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                void* recvbuf, const int recvcounts[], const int displs[],
                                MPI_Datatype recvtype, MPI_Comm comm) {
    return allgatherv_by(replicate_spreading, sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                         displs, recvtype, comm);
}

}  // namespace mpiaudit
