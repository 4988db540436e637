// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/rooted_call.h"

#include "collectives/call/copy.h"
#include "collectives/datatypes/layout.h"

namespace mpiaudit {
namespace {

/// `blocks_of` makes the blocks of so many ranks from what is significant at the root only.
template <class BlocksOf>
RootedCall rooted_call(const void* own, int count, MPI_Datatype type, int root, MPI_Comm comm,
                       bool is_regular, BlocksOf blocks_of) {
    RootedCall call{Ranks{comm, root}, false, {}, 0, {}, is_regular, comm};
    call.is_in_place = call.is_root() && own == MPI_IN_PLACE;
    if (!call.is_in_place) {
        call.own = {own, count, type};
        call.own_bytes = count * type_bytes(type);
    }
    if (call.is_root()) {
        call.blocks = blocks_of(call.ranks.size);
        call.own_bytes = call.blocks.bytes(root);
    }
    return call;
}

}  // namespace

RootedCall gatherv_call(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                        MPI_Comm comm) {
    return rooted_call(sendbuf, sendcount, sendtype, root, comm, false, [&](int ranks) {
        return Blocks::irregular(recvbuf, recvcounts, displs, recvtype, ranks);
    });
}

RootedCall gather_call(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return rooted_call(sendbuf, sendcount, sendtype, root, comm, true, [&](int ranks) {
        return Blocks::equal(recvbuf, recvcount, recvtype, ranks);
    });
}

RootedCall scatterv_call(const void* sendbuf, const int sendcounts[], const int displs[],
                         MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                         int root, MPI_Comm comm) {
    return rooted_call(recvbuf, recvcount, recvtype, root, comm, false, [&](int ranks) {
        return Blocks::irregular(sendbuf, sendcounts, displs, sendtype, ranks);
    });
}

RootedCall scatter_call(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return rooted_call(recvbuf, recvcount, recvtype, root, comm, true, [&](int ranks) {
        return Blocks::equal(sendbuf, sendcount, sendtype, ranks);
    });
}

void place_own_block(const RootedCall& call) {
    if (!call.is_in_place) copy_to_oneself(call.own, call.blocks.message(call.root()), call.ranks);
}

void take_own_block(const RootedCall& call) {
    if (!call.is_in_place) copy_to_oneself(call.blocks.message(call.root()), call.own, call.ranks);
}

}  // namespace mpiaudit
