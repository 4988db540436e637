// SPDX-License-Identifier: BSD-3-Clause
// Compositions after which all ranks have all blocks, and of exchanges.
#include <algorithm>
#include <cstddef>

#include "collectives/call/blocks.h"
#include "collectives/datatypes/layout.h"
#include "messages/scratch.h"
#include "paths/compositions.h"

namespace mpiaudit::paths {
namespace {

int bcast_of_all(const Terms& terms, const Blocks& blocks, MPI_Comm comm) {
    const TypedBuffer all = blocks.message(0, blocks.size());
    return as<PMPI_Bcast>(terms.second)(all.address, all.count, all.type, 0, comm);
}

/// The block that a rank other than 0 sends: in place it lies where it will be received.
struct Own {
    Own(const void* sendbuf, int sendcount, MPI_Datatype sendtype, const Blocks& blocks, int rank)
        : data(sendbuf, sendcount, sendtype) {
        if (sendbuf != MPI_IN_PLACE) return;
        // On rank 0 the gather is in place.
        data = rank == 0 ? TypedBuffer(MPI_IN_PLACE, 0, blocks.type()) : blocks.message(rank);
    }
    TypedBuffer data;
};

}  // namespace

int allgather_by_allgatherv(const Terms& terms, const void* sendbuf, int sendcount,
                            MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm) {
    const Blocklist blocks(recvcount, Group(comm).size);
    return as<PMPI_Allgatherv>(terms.first)(sendbuf, sendcount, sendtype, recvbuf,
                                            blocks.counts.data(), blocks.displacements.data(),
                                            recvtype, comm);
}

int allgather_by_gather_bcast(const Terms& terms, const void* sendbuf, int sendcount,
                              MPI_Datatype sendtype, void* recvbuf, int recvcount,
                              MPI_Datatype recvtype, MPI_Comm comm) {
    const Group group(comm);
    const Blocks blocks = Blocks::equal(recvbuf, recvcount, recvtype, group.size);
    const Own own(sendbuf, sendcount, sendtype, blocks, group.rank);
    const int code = as<PMPI_Gather>(terms.first)(own.data.address, own.data.count, own.data.type,
                                                  recvbuf, recvcount, recvtype, 0, comm);
    return code == MPI_SUCCESS ? bcast_of_all(terms, blocks, comm) : code;
}

int allgatherv_by_gatherv_bcast(const Terms& terms, const void* sendbuf, int sendcount,
                                MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                                const int* displs, MPI_Datatype recvtype, MPI_Comm comm) {
    const Group group(comm);
    const Blocks blocks = Blocks::irregular(recvbuf, recvcounts, displs, recvtype, group.size);
    const Own own(sendbuf, sendcount, sendtype, blocks, group.rank);
    const int code = as<PMPI_Gatherv>(terms.first)(own.data.address, own.data.count, own.data.type,
                                                   recvbuf, recvcounts, displs, recvtype, 0, comm);
    return code == MPI_SUCCESS ? bcast_of_all(terms, blocks, comm) : code;
}

int allgatherv_padded(const Terms& terms, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                      void* recvbuf, const int* recvcounts, const int* displs,
                      MPI_Datatype recvtype, MPI_Comm comm) {
    const Group group(comm);
    const Blocks blocks = Blocks::irregular(recvbuf, recvcounts, displs, recvtype, group.size);
    std::int64_t largest = 0;
    for (int rank = 0; rank < group.size; ++rank) largest = std::max(largest, blocks.bytes(rank));
    // All ranks know all sizes, and so go back together.
    if (largest * group.size > most_padded_bytes)
        return PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                               comm);
    const int bytes = static_cast<int>(largest);
    const bool is_in_place = sendbuf == MPI_IN_PLACE;
    const TypedBuffer own =
        is_in_place ? blocks.message(group.rank) : TypedBuffer(sendbuf, sendcount, sendtype);
    const Scratch packed = slots_for(bytes, 1), all = slots_for(bytes, group.size);
    pack(own, packed.get(), bytes, comm);
    const int code = as<PMPI_Allgather>(terms.first)(packed.get(), bytes, MPI_BYTE, all.get(),
                                                     bytes, MPI_BYTE, comm);
    for (int rank = 0; code == MPI_SUCCESS && rank < group.size; ++rank)
        if (rank != group.rank || !is_in_place)
            unpack(slot(all, bytes, rank), bytes, blocks.message(rank), comm);
    return code;
}

int alltoall_by_alltoallv(const Terms& terms, const void* sendbuf, int sendcount,
                          MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype, MPI_Comm comm) {
    const int ranks = Group(comm).size;
    const Blocklist sent(sendbuf == MPI_IN_PLACE ? 0 : sendcount, ranks);
    const Blocklist received(recvcount, ranks);
    return as<PMPI_Alltoallv>(terms.first)(sendbuf, sent.counts.data(), sent.displacements.data(),
                                           sendtype, recvbuf, received.counts.data(),
                                           received.displacements.data(), recvtype, comm);
}

int barrier_by_allreduce(const Terms& terms, MPI_Comm comm) {
    const int own = 1;
    int most = 0;
    return as<PMPI_Allreduce>(terms.first)(&own, &most, 1, MPI_INT, MPI_MAX, comm);
}

int bcast_by_scatterv_allgatherv(const Terms& terms, void* buffer, int count, MPI_Datatype datatype,
                                 int root, MPI_Comm comm) {
    const Group group(comm);
    const bool is_root = group.rank == root, is_packed = !is_dense(datatype);
    const auto bytes = static_cast<int>(count * type_bytes(datatype));
    const Scratch packed(static_cast<std::size_t>(is_packed ? bytes : 0));
    void* const data = is_packed ? packed.get() : buffer;
    if (is_root && is_packed) pack({buffer, count, datatype}, data, bytes, comm);
    // The ranks may count elements differently, but not bytes.
    const Blocklist blocks = divided(bytes, group.size);
    const auto own = static_cast<std::size_t>(group.rank);
    int code = as<PMPI_Scatterv>(terms.first)(
        data, blocks.counts.data(), blocks.displacements.data(), MPI_BYTE,
        is_root ? MPI_IN_PLACE : displaced(data, blocks.displacements[own]), blocks.counts[own],
        MPI_BYTE, root, comm);
    if (code == MPI_SUCCESS)
        code =
            as<PMPI_Allgatherv>(terms.second)(MPI_IN_PLACE, 0, MPI_BYTE, data, blocks.counts.data(),
                                              blocks.displacements.data(), MPI_BYTE, comm);
    if (!is_root && is_packed && code == MPI_SUCCESS)
        unpack(data, bytes, {buffer, count, datatype}, comm);
    return code;
}

}  // namespace mpiaudit::paths
