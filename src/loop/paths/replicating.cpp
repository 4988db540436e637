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

/// Gives the blocks that rank 0 has to all ranks.
int bcast_of_all(const Terms& terms, const BlocksOfBytes& all, MPI_Comm comm) {
    return as<PMPI_Bcast>(terms.second)(all.address(), all.sum(), MPI_BYTE, 0, comm);
}

/// The bytes that a rank sends to rank 0 or to all: of the call's send buffer, or of the own block
/// where the call is in place.
struct SentBytes {
    SentBytes(const void* sendbuf, int sendcount, MPI_Datatype sendtype, const BlocksOfBytes& all,
              MPI_Comm comm)
        : is_in_place{sendbuf == MPI_IN_PLACE},
          rank{Group(comm).rank},
          own{is_in_place ? TypedBuffer() : TypedBuffer(sendbuf, sendcount, sendtype), comm} {
        if (is_in_place)
            all.read(rank);
        else
            own.read();
    }
    bool is_in_place;
    int rank;
    OwnBytes own;
    /// What a gather to rank 0 is given: on rank 0 of a call in place the block is where it has to
    /// be.
    const void* to_rank_0(const BlocksOfBytes& all) const {
        if (!is_in_place) return own.address();
        return rank == 0 ? MPI_IN_PLACE : all.block(rank);
    }
    /// The block that the call leaves alone, for BlocksOfBytes::write_all().
    int kept() const { return is_in_place ? rank : -1; }
};

}  // namespace

int allgather_by_allgatherv(const Terms& terms, const void* sendbuf, int sendcount,
                            MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm) {
    const BlocksOfBytes all = BlocksOfBytes::equal(recvbuf, recvcount, recvtype, comm);
    const SentBytes sent(sendbuf, sendcount, sendtype, all, comm);
    const int code = as<PMPI_Allgatherv>(terms.first)(
        sent.is_in_place ? MPI_IN_PLACE : sent.own.address(), sent.own.bytes, MPI_BYTE,
        all.address(), all.list.counts.data(), all.list.displacements.data(), MPI_BYTE, comm);
    if (code == MPI_SUCCESS) all.write_all(sent.kept());
    return code;
}

int allgather_by_gather_bcast(const Terms& terms, const void* sendbuf, int sendcount,
                              MPI_Datatype sendtype, void* recvbuf, int recvcount,
                              MPI_Datatype recvtype, MPI_Comm comm) {
    const BlocksOfBytes all = BlocksOfBytes::equal(recvbuf, recvcount, recvtype, comm);
    const SentBytes sent(sendbuf, sendcount, sendtype, all, comm);
    const int bytes = all.bytes(0);
    int code = as<PMPI_Gather>(terms.first)(sent.to_rank_0(all), bytes, MPI_BYTE, all.address(),
                                            bytes, MPI_BYTE, 0, comm);
    if (code == MPI_SUCCESS) code = bcast_of_all(terms, all, comm);
    if (code == MPI_SUCCESS) all.write_all(sent.kept());
    return code;
}

int allgatherv_by_gatherv_bcast(const Terms& terms, const void* sendbuf, int sendcount,
                                MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                                const int* displs, MPI_Datatype recvtype, MPI_Comm comm) {
    const int ranks = Group(comm).size;
    std::vector<int> bytes;
    for (int rank = 0; rank < ranks; ++rank)
        bytes.push_back(static_cast<int>(recvcounts[rank] * type_bytes(recvtype)));
    const BlocksOfBytes all(Blocks::irregular(recvbuf, recvcounts, displs, recvtype, ranks), bytes,
                            comm);
    const SentBytes sent(sendbuf, sendcount, sendtype, all, comm);
    int code = as<PMPI_Gatherv>(terms.first)(sent.to_rank_0(all), all.bytes(sent.rank), MPI_BYTE,
                                             all.address(), all.list.counts.data(),
                                             all.list.displacements.data(), MPI_BYTE, 0, comm);
    if (code == MPI_SUCCESS) code = bcast_of_all(terms, all, comm);
    if (code == MPI_SUCCESS) all.write_all(sent.kept());
    return code;
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
    const auto alltoallv = as<PMPI_Alltoallv>(terms.first);
    const BlocksOfBytes to = BlocksOfBytes::equal(recvbuf, recvcount, recvtype, comm);
    const bool is_in_place = sendbuf == MPI_IN_PLACE;
    if (is_in_place) to.read_all();
    const BlocksOfBytes from = is_in_place
                                   ? BlocksOfBytes::equal(recvbuf, 0, MPI_BYTE, comm)
                                   : BlocksOfBytes::equal(sendbuf, sendcount, sendtype, comm);
    from.read_all();
    const int code = alltoallv(is_in_place ? MPI_IN_PLACE : from.address(), from.list.counts.data(),
                               from.list.displacements.data(), MPI_BYTE, to.address(),
                               to.list.counts.data(), to.list.displacements.data(), MPI_BYTE, comm);
    if (code == MPI_SUCCESS) to.write_all(-1);
    return code;
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
