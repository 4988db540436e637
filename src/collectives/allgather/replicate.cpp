// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/replicate.h"

#include "collectives/allgather/local_copy.h"

namespace mpiaudit {
namespace {

int place_and_replicate(Replicate replicate, const void* sendbuf, int sendcount,
                        MPI_Datatype sendtype, void* recvbuf, const Blocks& blocks,
                        const Processes& processes) {
    const int rank = processes.rank;
    if (sendbuf != MPI_IN_PLACE)
        local_copy(sendbuf, sendcount, sendtype, blocks.at(rank, recvbuf), blocks.count(rank),
                   blocks.type(), processes);
    replicate(recvbuf, blocks, processes);
    return MPI_SUCCESS;
}

}  // namespace

int allgather_by(Replicate replicate, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    const Processes processes{comm};
    const Blocks blocks = Blocks::equal(recvcount, recvtype, processes.size);
    return place_and_replicate(replicate, sendbuf, sendcount, sendtype, recvbuf, blocks, processes);
}

int allgatherv_by(Replicate replicate, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                  void* recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                  MPI_Comm comm) {
    const Processes processes{comm};
    const Blocks blocks = Blocks::irregular(recvcounts, displs, recvtype, processes.size);
    return place_and_replicate(replicate, sendbuf, sendcount, sendtype, recvbuf, blocks, processes);
}

}  // namespace mpiaudit
