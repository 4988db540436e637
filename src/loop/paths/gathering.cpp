// SPDX-License-Identifier: BSD-3-Clause
// Compositions that move blocks between one rank and all.
#include <cstdint>

#include "collectives/call/blocks.h"
#include "collectives/datatypes/layout.h"
#include "messages/scratch.h"
#include "paths/compositions.h"

namespace mpiaudit::paths {
namespace {

/// A gather or scatter whose blocks go in slots of the largest number of bytes of any.
struct Padded {
    /// \param all the blocks, at the root \param own_block MPI_IN_PLACE where it is among them
    Padded(const Blocks& all, TypedBuffer own_block, const Group& group, int root, MPI_Comm comm)
        : is_root{group.rank == root},
          is_in_place{is_root && own_block.address == MPI_IN_PLACE},
          own{is_in_place ? all.message(root) : std::move(own_block)} {
        const std::int64_t own_bytes = own.count == 0 ? 0 : own.count * type_bytes(own.type);
        std::int64_t largest = 0;
        code = PMPI_Allreduce(&own_bytes, &largest, 1, MPI_INT64_T, MPI_MAX, comm);
        fits = largest * group.size <= most_padded_bytes;
        bytes = fits ? static_cast<int>(largest) : 0;
        slots = slots_for(bytes, is_root ? group.size : 0);
        own_slot = slots_for(bytes, 1);
    }

    bool is_root, is_in_place;
    TypedBuffer own;
    int code = MPI_SUCCESS;
    int bytes = 0;      ///< of a slot
    bool fits = false;  ///< else all ranks go back to the library
    Scratch slots, own_slot;
};

}  // namespace

int gather_by_gatherv(const Terms& terms, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                      void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                      MPI_Comm comm) {
    const auto gatherv = as<PMPI_Gatherv>(terms.first);
    const int rank = Group(comm).rank;
    const bool is_in_place = rank == root && sendbuf == MPI_IN_PLACE;
    const OwnBytes own(is_in_place ? TypedBuffer() : TypedBuffer(sendbuf, sendcount, sendtype),
                       comm);
    own.read();
    const void* const sent = is_in_place ? MPI_IN_PLACE : own.address();
    if (rank != root)
        return gatherv(sent, own.bytes, MPI_BYTE, nullptr, nullptr, nullptr, MPI_BYTE, root, comm);
    const BlocksOfBytes all = BlocksOfBytes::equal(recvbuf, recvcount, recvtype, comm);
    const int code = gatherv(sent, own.bytes, MPI_BYTE, all.address(), all.list.counts.data(),
                             all.list.displacements.data(), MPI_BYTE, root, comm);
    if (code == MPI_SUCCESS) all.write_all(is_in_place ? root : -1);
    return code;
}

int gather_by_allgather(const Terms& terms, const void* sendbuf, int sendcount,
                        MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                        int root, MPI_Comm comm) {
    const Group group(comm);
    const auto allgather = as<PMPI_Allgather>(terms.first);
    const bool is_in_place = group.rank == root && sendbuf == MPI_IN_PLACE;
    const OwnBytes own(is_in_place ? TypedBuffer() : TypedBuffer(sendbuf, sendcount, sendtype),
                       comm);
    own.read();
    if (group.rank != root) {
        const Scratch ignored = slots_for(own.bytes, group.size);
        return allgather(own.address(), own.bytes, MPI_BYTE, ignored.get(), own.bytes, MPI_BYTE,
                         comm);
    }
    const BlocksOfBytes all = BlocksOfBytes::equal(recvbuf, recvcount, recvtype, comm);
    const int bytes = all.bytes(root);
    // In place is for all ranks or for none of them.
    const Scratch copied = slots_for(is_in_place ? bytes : 0, 1);
    if (is_in_place)
        pack(Blocks::equal(recvbuf, recvcount, recvtype, group.size).message(root), copied.get(),
             bytes, comm);
    const int code = allgather(is_in_place ? copied.get() : own.address(), bytes, MPI_BYTE,
                               all.address(), bytes, MPI_BYTE, comm);
    if (code == MPI_SUCCESS) all.write_all(is_in_place ? root : -1);
    return code;
}

int gatherv_padded(const Terms& terms, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                   void* recvbuf, const int* recvcounts, const int* displs, MPI_Datatype recvtype,
                   int root, MPI_Comm comm) {
    const Group group(comm);
    const Blocks blocks = group.rank == root
                              ? Blocks::irregular(recvbuf, recvcounts, displs, recvtype, group.size)
                              : Blocks();
    const Padded call(blocks, {sendbuf, sendcount, sendtype}, group, root, comm);
    if (call.code != MPI_SUCCESS) return call.code;
    if (!call.fits)
        return PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                            root, comm);
    pack(call.own, call.own_slot.get(), call.bytes, comm);
    const int code =
        as<PMPI_Gather>(terms.second)(call.own_slot.get(), call.bytes, MPI_BYTE, call.slots.get(),
                                      call.bytes, MPI_BYTE, root, comm);
    for (int rank = 0; call.is_root && code == MPI_SUCCESS && rank < group.size; ++rank)
        if (rank != root || !call.is_in_place)
            unpack(slot(call.slots, call.bytes, rank), call.bytes, blocks.message(rank), comm);
    return code;
}

int scatter_by_scatterv(const Terms& terms, const void* sendbuf, int sendcount,
                        MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                        int root, MPI_Comm comm) {
    const auto scatterv = as<PMPI_Scatterv>(terms.first);
    const int rank = Group(comm).rank;
    const bool is_in_place = rank == root && recvbuf == MPI_IN_PLACE;
    const OwnBytes own(is_in_place ? TypedBuffer() : TypedBuffer(recvbuf, recvcount, recvtype),
                       comm);
    void* const received = is_in_place ? MPI_IN_PLACE : own.address();
    int code = MPI_SUCCESS;
    if (rank == root) {
        const BlocksOfBytes all = BlocksOfBytes::equal(sendbuf, sendcount, sendtype, comm);
        all.read_all();
        code = scatterv(all.address(), all.list.counts.data(), all.list.displacements.data(),
                        MPI_BYTE, received, own.bytes, MPI_BYTE, root, comm);
    } else {
        code = scatterv(nullptr, nullptr, nullptr, MPI_BYTE, received, own.bytes, MPI_BYTE, root,
                        comm);
    }
    if (code == MPI_SUCCESS) own.write();
    return code;
}

int scatter_by_bcast(const Terms& terms, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                     void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const Group group(comm);
    const bool is_root = group.rank == root;
    const int bytes = static_cast<int>(is_root ? sendcount * type_bytes(sendtype)
                                               : recvcount * type_bytes(recvtype));
    const Scratch all = slots_for(bytes, group.size);
    for (int rank = 0; is_root && rank < group.size; ++rank)
        pack(Blocks::equal(sendbuf, sendcount, sendtype, group.size).message(rank),
             slot(all, bytes, rank), bytes, comm);
    const int code =
        as<PMPI_Bcast>(terms.first)(all.get(), bytes * group.size, MPI_BYTE, root, comm);
    if (code == MPI_SUCCESS && (!is_root || recvbuf != MPI_IN_PLACE))
        unpack(slot(all, bytes, group.rank), bytes, {recvbuf, recvcount, recvtype}, comm);
    return code;
}

int scatterv_padded(const Terms& terms, const void* sendbuf, const int* sendcounts,
                    const int* displs, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm) {
    const Group group(comm);
    const Blocks blocks = group.rank == root
                              ? Blocks::irregular(sendbuf, sendcounts, displs, sendtype, group.size)
                              : Blocks();
    const Padded call(blocks, {recvbuf, recvcount, recvtype}, group, root, comm);
    if (call.code != MPI_SUCCESS) return call.code;
    if (!call.fits)
        return PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                             root, comm);
    for (int rank = 0; call.is_root && rank < group.size; ++rank)
        pack(blocks.message(rank), slot(call.slots, call.bytes, rank), call.bytes, comm);
    const int code =
        as<PMPI_Scatter>(terms.second)(call.slots.get(), call.bytes, MPI_BYTE, call.own_slot.get(),
                                       call.bytes, MPI_BYTE, root, comm);
    if (code == MPI_SUCCESS && !call.is_in_place)
        unpack(call.own_slot.get(), call.bytes, call.own, comm);
    return code;
}

}  // namespace mpiaudit::paths
