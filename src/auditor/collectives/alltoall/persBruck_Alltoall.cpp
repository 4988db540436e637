// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/alltoall/alltoall.h"
#include "collectives/alltoall/persistent_alltoall.h"

namespace mpiaudit {

int persBruck_Alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                            PersistentAlltoall** handle) {
    auto persistent = std::make_unique<PersistentAlltoall>();
    if (sendbuf == MPI_IN_PLACE) {
        sendcount = recvcount;
        sendtype = recvtype;
    }
    const Ranks ranks{comm};
    const Blocks receive = Blocks::equal(recvbuf, recvcount, recvtype, ranks.size);
    const void* input = persistent->bind_input(sendbuf, recvbuf, receive, ranks);
    ZeroCopyBuffers buffers{input, sendcount, sendtype, recvbuf, recvcount, recvtype, ranks};
    buffers.allocate_intermediate(ranks.size);
    persistent->add_own(buffers.send(), receive, ranks);
    for (int distance = 1; distance < ranks.size; distance *= 2)
        persistent->add_round(single_block_round(buffers, distance), distance, ranks);
    persistent->intermediate = buffers.release_intermediate();
    *handle = persistent.release();
    return MPI_SUCCESS;
}

int persBruck_Alltoall_start(PersistentAlltoall* handle) {
    return handle->start();
}

int persBruck_Alltoall_wait(PersistentAlltoall* handle) {
    return handle->wait();
}

int persBruck_Alltoall_free(PersistentAlltoall** handle) {
    delete *handle;
    *handle = nullptr;
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
