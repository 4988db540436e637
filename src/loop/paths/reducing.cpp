// SPDX-License-Identifier: BSD-3-Clause
// Compositions of reductions, whose elements are of the same predefined type on all ranks. Whether
// the operands are in place each rank may say for itself.
#include <cstddef>
#include <cstring>

#include "collectives/datatypes/layout.h"
#include "collectives/patterns/reduction.h"
#include "paths/compositions.h"

namespace mpiaudit::paths {
namespace {

const void* operands(const void* sendbuf, const void* recvbuf) {
    return sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
}

void copy(void* to, const void* from, int count, MPI_Datatype type) {
    const ByteRange range = element_range(count, type);
    if (range.bytes() > 0)
        std::memcpy(displaced(to, range.begin), displaced(from, range.begin),
                    static_cast<std::size_t>(range.bytes()));
}

}  // namespace

int allreduce_by_reduce_bcast(const Terms& terms, const void* sendbuf, void* recvbuf, int count,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const bool is_root = Group(comm).rank == 0;
    const void* own = is_root ? sendbuf : operands(sendbuf, recvbuf);
    const int code = as<PMPI_Reduce>(terms.first)(own, recvbuf, count, datatype, op, 0, comm);
    if (code != MPI_SUCCESS) return code;
    return as<PMPI_Bcast>(terms.second)(recvbuf, count, datatype, 0, comm);
}

int allreduce_by_reduce_scatter_allgatherv(const Terms& terms, const void* sendbuf, void* recvbuf,
                                           int count, MPI_Datatype datatype, MPI_Op op,
                                           MPI_Comm comm) {
    const Group group(comm);
    const Blocklist blocks = divided(count, group.size);
    const auto own = static_cast<std::size_t>(group.rank);
    const bool is_in_place = sendbuf == MPI_IN_PLACE;
    // An empty block at the end may have the address of what comes next, which may be the operands:
    // MPICH then refuses the call as aliased, on that rank alone.
    void* const own_block =
        blocks.counts[own] == 0
            ? recvbuf
            : displaced(recvbuf, blocks.displacements[own] * type_extent(datatype));
    // The operands are still needed where the reduction of the block will lie.
    const OperandBuffer aside(is_in_place ? blocks.counts[own] : 0, datatype);
    const int code = as<PMPI_Reduce_scatter>(terms.first)(operands(sendbuf, recvbuf),
                                                          is_in_place ? aside.get() : own_block,
                                                          blocks.counts.data(), datatype, op, comm);
    if (code != MPI_SUCCESS) return code;
    if (is_in_place) copy(own_block, aside.get(), blocks.counts[own], datatype);
    return as<PMPI_Allgatherv>(terms.second)(MPI_IN_PLACE, 0, datatype, recvbuf,
                                             blocks.counts.data(), blocks.displacements.data(),
                                             datatype, comm);
}

int reduce_by_allreduce(const Terms& terms, const void* sendbuf, void* recvbuf, int count,
                        MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
    const auto allreduce = as<PMPI_Allreduce>(terms.first);
    const bool is_root = Group(comm).rank == root;
    if (is_root && sendbuf != MPI_IN_PLACE)
        return allreduce(sendbuf, recvbuf, count, datatype, op, comm);
    // In place is for all ranks of an allreduce or for none, and others than the root have nothing
    // to receive into.
    const OperandBuffer result(count, datatype);
    const int code =
        allreduce(is_root ? recvbuf : sendbuf, result.get(), count, datatype, op, comm);
    if (is_root && code == MPI_SUCCESS) copy(recvbuf, result.get(), count, datatype);
    return code;
}

int reduce_scatter_by_reduce_scatterv(const Terms& terms, const void* sendbuf, void* recvbuf,
                                      const int* recvcounts, MPI_Datatype datatype, MPI_Op op,
                                      MPI_Comm comm) {
    const Group group(comm);
    const Blocklist blocks(std::vector<int>(recvcounts, recvcounts + group.size));
    const OperandBuffer all =
        group.rank == 0 ? OperandBuffer(blocks.sum(), datatype) : OperandBuffer();
    const int code = as<PMPI_Reduce>(terms.first)(operands(sendbuf, recvbuf), all.get(),
                                                  blocks.sum(), datatype, op, 0, comm);
    if (code != MPI_SUCCESS) return code;
    return as<PMPI_Scatterv>(terms.second)(all.get(), blocks.counts.data(),
                                           blocks.displacements.data(), datatype, recvbuf,
                                           recvcounts[group.rank], datatype, 0, comm);
}

int reduce_scatter_by_allreduce(const Terms& terms, const void* sendbuf, void* recvbuf,
                                const int* recvcounts, MPI_Datatype datatype, MPI_Op op,
                                MPI_Comm comm) {
    const Group group(comm);
    const Blocklist blocks(std::vector<int>(recvcounts, recvcounts + group.size));
    const OperandBuffer all(blocks.sum(), datatype);
    const int code = as<PMPI_Allreduce>(terms.first)(operands(sendbuf, recvbuf), all.get(),
                                                     blocks.sum(), datatype, op, comm);
    if (code != MPI_SUCCESS) return code;
    const int begin = blocks.displacements[static_cast<std::size_t>(group.rank)];
    copy(recvbuf, displaced(all.get(), begin * type_extent(datatype)), recvcounts[group.rank],
         datatype);
    return code;
}

int reduce_scatter_block_by_reduce_scatter(const Terms& terms, const void* sendbuf, void* recvbuf,
                                           int recvcount, MPI_Datatype datatype, MPI_Op op,
                                           MPI_Comm comm) {
    const Blocklist blocks(recvcount, Group(comm).size);
    return as<PMPI_Reduce_scatter>(terms.first)(sendbuf, recvbuf, blocks.counts.data(), datatype,
                                                op, comm);
}

int reduce_scatter_block_by_reduce_then_scatter(const Terms& terms, const void* sendbuf,
                                                void* recvbuf, int recvcount, MPI_Datatype datatype,
                                                MPI_Op op, MPI_Comm comm) {
    const Group group(comm);
    const int sum = recvcount * group.size;
    const OperandBuffer all = group.rank == 0 ? OperandBuffer(sum, datatype) : OperandBuffer();
    const int code = as<PMPI_Reduce>(terms.first)(operands(sendbuf, recvbuf), all.get(), sum,
                                                  datatype, op, 0, comm);
    if (code != MPI_SUCCESS) return code;
    return as<PMPI_Scatter>(terms.second)(all.get(), recvcount, datatype, recvbuf, recvcount,
                                          datatype, 0, comm);
}

int scan_by_exscan(const Terms& terms, const void* sendbuf, void* recvbuf, int count,
                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const auto exscan = as<PMPI_Exscan>(terms.first);
    const auto reduce_local = as<PMPI_Reduce_local>(terms.second);
    // Nobody is before rank 0.
    const bool has_prefix = Group(comm).rank > 0;
    int commutes = 0;
    PMPI_Op_commutative(op, &commutes);
    if (sendbuf != MPI_IN_PLACE && commutes != 0) {
        const int code = exscan(sendbuf, recvbuf, count, datatype, op, comm);
        if (code != MPI_SUCCESS) return code;
        if (has_prefix) return reduce_local(sendbuf, recvbuf, count, datatype, op);
        copy(recvbuf, sendbuf, count, datatype);
        return code;
    }
    const OperandBuffer before(count, datatype);
    const int code = exscan(operands(sendbuf, recvbuf), before.get(), count, datatype, op, comm);
    if (code != MPI_SUCCESS) return code;
    if (sendbuf != MPI_IN_PLACE) copy(recvbuf, sendbuf, count, datatype);
    return has_prefix ? reduce_local(before.get(), recvbuf, count, datatype, op) : code;
}

}  // namespace mpiaudit::paths
