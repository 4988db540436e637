// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allgather/replicate.h"

#include "collectives/call/copy.h"

namespace mpiaudit {
namespace {

int place_and_replicate(Replicate replicate, const void* sendbuf, int sendcount,
                        MPI_Datatype sendtype, const Blocks& blocks, const Ranks& ranks) {
    if (sendbuf != MPI_IN_PLACE)
        copy_to_oneself({sendbuf, sendcount, sendtype}, blocks.message(ranks.rank), ranks);
    replicate(blocks, ranks);
    return MPI_SUCCESS;
}

}  // namespace

int allgather_by(Replicate replicate, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    const Ranks ranks{comm};
    const Blocks blocks = Blocks::equal(recvbuf, recvcount, recvtype, ranks.size);
    return place_and_replicate(replicate, sendbuf, sendcount, sendtype, blocks, ranks);
}

int allgatherv_by(Replicate replicate, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                  void* recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                  MPI_Comm comm) {
    const Ranks ranks{comm};
    const Blocks blocks = Blocks::irregular(recvbuf, recvcounts, displs, recvtype, ranks.size);
    return place_and_replicate(replicate, sendbuf, sendcount, sendtype, blocks, ranks);
}

}  // namespace mpiaudit
