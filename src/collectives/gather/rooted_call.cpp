// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/rooted_call.h"

#include "collectives/datatypes/copy_block.h"
#include "collectives/datatypes/signature.h"
#include "collectives/gather/gather_tags.h"
#include "messages/messages.h"
#include "messages/private_communicator.h"

namespace mpiaudit {
namespace {

/// `blocks` makes a BlocksAtRoot from what is significant at the root only.
template <class Blocks>
RootedCall rooted_call(const void* own, int count, MPI_Datatype type, int root, MPI_Comm comm,
                       Blocks blocks) {
    RootedCall call{};
    call.root = root;
    call.comm = private_communicator(comm);
    call.rank = messages::rank_in(comm);
    call.ranks = messages::size_of(comm);
    call.is_in_place = call.is_root() && own == MPI_IN_PLACE;
    if (!call.is_in_place) {
        call.own.address = const_cast<void*>(own);
        call.own.count = count;
        call.own.type = type;
        call.own_bytes = count * type_bytes(type);
    }
    if (call.is_root()) {
        call.blocks = blocks();
        call.own_bytes = call.blocks.bytes(root);
    }
    return call;
}

}  // namespace

RootedCall gatherv_call(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                        MPI_Comm comm) {
    return rooted_call(sendbuf, sendcount, sendtype, root, comm, [&] {
        return BlocksAtRoot::irregular(recvbuf, recvcounts, displs, recvtype);
    });
}

RootedCall gather_call(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                       int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return rooted_call(sendbuf, sendcount, sendtype, root, comm,
                       [&] { return BlocksAtRoot::regular(recvbuf, recvcount, recvtype); });
}

RootedCall scatterv_call(const void* sendbuf, const int sendcounts[], const int displs[],
                         MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                         int root, MPI_Comm comm) {
    return rooted_call(recvbuf, recvcount, recvtype, root, comm, [&] {
        return BlocksAtRoot::irregular(sendbuf, sendcounts, displs, sendtype);
    });
}

RootedCall scatter_call(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return rooted_call(recvbuf, recvcount, recvtype, root, comm,
                       [&] { return BlocksAtRoot::regular(sendbuf, sendcount, sendtype); });
}

void place_own_block(const RootedCall& call) {
    if (call.is_in_place) return;
    copy_block(call.own, call.blocks.block(call.rank), call.own_bytes, call.comm,
               GatherTag::own_block);
}

void take_own_block(const RootedCall& call) {
    if (call.is_in_place) return;
    copy_block(call.blocks.block(call.rank), call.own, call.own_bytes, call.comm,
               GatherTag::own_block);
}

}  // namespace mpiaudit
