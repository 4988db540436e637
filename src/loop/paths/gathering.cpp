// SPDX-License-Identifier: BSD-3-Clause
// Compositions that move blocks between one rank and all.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "collectives/call/blocks.h"
#include "collectives/call/copy.h"
#include "collectives/datatypes/layout.h"
#include "messages/scratch.h"
#include "paths/compositions.h"

namespace mpiaudit::paths {
namespace {

constexpr std::int64_t most_padded_bytes = 1 << 30;

/// What all ranks agree on: the largest number of bytes of any; and whether slots of that size for
/// all of them are few enough. To go back to the library is safe here, as all go.
struct Slots {
    int code = MPI_SUCCESS;
    int bytes = 0;
    bool fit = false;
};

Slots agreed_slots(std::int64_t own_bytes, int ranks, MPI_Comm comm) {
    Slots slots;
    std::int64_t largest = 0;
    slots.code = PMPI_Allreduce(&own_bytes, &largest, 1, MPI_INT64_T, MPI_MAX, comm);
    slots.fit = largest * ranks <= most_padded_bytes;
    slots.bytes = slots.fit ? static_cast<int>(largest) : 0;
    return slots;
}

std::byte* slot(const Scratch& slots, int bytes, int rank) {
    return slots.get() + static_cast<std::size_t>(bytes) * static_cast<std::size_t>(rank);
}

Scratch slots_for(int bytes, int ranks) {
    // No address of nothing: some libraries look at it.
    return Scratch(std::max<std::size_t>(
        1, static_cast<std::size_t>(bytes) * static_cast<std::size_t>(ranks)));
}

void pack(const TypedBuffer& data, std::byte* into, int bytes, MPI_Comm comm) {
    int position = 0;
    if (data.count > 0)
        PMPI_Pack(data.address, data.count, data.type, into, bytes, &position, comm);
}

void unpack(const std::byte* from, int bytes, const TypedBuffer& data, MPI_Comm comm) {
    int position = 0;
    if (data.count > 0)
        PMPI_Unpack(from, bytes, &position, data.address, data.count, data.type, comm);
}

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
    const bool is_root = group.rank == root, is_in_place = is_root && sendbuf == MPI_IN_PLACE;
    const Blocks blocks =
        is_root ? Blocks::irregular(recvbuf, recvcounts, displs, recvtype, group.size) : Blocks();
    const TypedBuffer own =
        is_in_place ? blocks.message(root) : TypedBuffer(sendbuf, sendcount, sendtype);
    const std::int64_t own_bytes = own.count == 0 ? 0 : own.count * type_bytes(own.type);
    const Slots slots = agreed_slots(own_bytes, group.size, comm);
    if (slots.code != MPI_SUCCESS) return slots.code;
    if (!slots.fit)
        return PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                            root, comm);
    const Scratch packed = slots_for(slots.bytes, 1);
    const Scratch all = slots_for(slots.bytes, is_root ? group.size : 0);
    pack(own, packed.get(), slots.bytes, comm);
    const int code = as<PMPI_Gather>(terms.second)(packed.get(), slots.bytes, MPI_BYTE, all.get(),
                                                   slots.bytes, MPI_BYTE, root, comm);
    for (int rank = 0; is_root && code == MPI_SUCCESS && rank < group.size; ++rank)
        if (rank != root || !is_in_place)
            unpack(slot(all, slots.bytes, rank), slots.bytes, blocks.message(rank), comm);
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
    const bool is_root = group.rank == root, is_in_place = is_root && recvbuf == MPI_IN_PLACE;
    const Blocks blocks =
        is_root ? Blocks::irregular(sendbuf, sendcounts, displs, sendtype, group.size) : Blocks();
    const TypedBuffer own =
        is_in_place ? blocks.message(root) : TypedBuffer(recvbuf, recvcount, recvtype);
    const std::int64_t own_bytes = own.count == 0 ? 0 : own.count * type_bytes(own.type);
    const Slots slots = agreed_slots(own_bytes, group.size, comm);
    if (slots.code != MPI_SUCCESS) return slots.code;
    if (!slots.fit)
        return PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                             root, comm);
    const Scratch packed = slots_for(slots.bytes, 1);
    const Scratch all = slots_for(slots.bytes, is_root ? group.size : 0);
    for (int rank = 0; is_root && rank < group.size; ++rank)
        pack(blocks.message(rank), slot(all, slots.bytes, rank), slots.bytes, comm);
    const int code = as<PMPI_Scatter>(terms.second)(all.get(), slots.bytes, MPI_BYTE, packed.get(),
                                                    slots.bytes, MPI_BYTE, root, comm);
    if (code == MPI_SUCCESS && !is_in_place) unpack(packed.get(), slots.bytes, own, comm);
    return code;
}

}  // namespace mpiaudit::paths
