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
    const Group group(comm);
    const Blocklist blocks(group.rank == root ? recvcount : 0, group.size);
    return as<PMPI_Gatherv>(terms.first)(sendbuf, sendcount, sendtype, recvbuf,
                                         blocks.counts.data(), blocks.displacements.data(),
                                         recvtype, root, comm);
}

int gather_by_allgather(const Terms& terms, const void* sendbuf, int sendcount,
                        MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                        int root, MPI_Comm comm) {
    const Group group(comm);
    const auto allgather = as<PMPI_Allgather>(terms.first);
    if (group.rank != root) {
        const int bytes = static_cast<int>(sendcount * type_bytes(sendtype));
        const Scratch ignored = slots_for(bytes, group.size);
        return allgather(sendbuf, sendcount, sendtype, ignored.get(), bytes, MPI_BYTE, comm);
    }
    if (sendbuf != MPI_IN_PLACE)
        return allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    // In place is for all ranks or for none of them.
    const int bytes = static_cast<int>(recvcount * type_bytes(recvtype));
    const Scratch own = slots_for(bytes, 1);
    pack(Blocks::equal(recvbuf, recvcount, recvtype, group.size).message(root), own.get(), bytes,
         comm);
    return allgather(own.get(), bytes, MPI_BYTE, recvbuf, recvcount, recvtype, comm);
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
    const Group group(comm);
    const Blocklist blocks(group.rank == root ? sendcount : 0, group.size);
    return as<PMPI_Scatterv>(terms.first)(sendbuf, blocks.counts.data(),
                                          blocks.displacements.data(), sendtype, recvbuf, recvcount,
                                          recvtype, root, comm);
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
