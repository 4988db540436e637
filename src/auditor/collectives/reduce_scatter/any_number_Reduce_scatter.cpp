// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/call/copy.h"
#include "collectives/reduce_scatter/halving_rounds.h"
#include "collectives/reduce_scatter/reduce_scatter.h"
#include "collectives/reduce_scatter/reduce_scatter_by.h"

namespace mpiaudit {
namespace {

int reduce_scatter_in_rounds(const HalvingRounds& rounds, const Blocks& blocks, void* recvbuf,
                             MPI_Op op, const Ranks& ranks) {
    if (!fits_reduce_local(blocks)) return MPI_ERR_COUNT;
    const Reduction reduction{static_cast<int>(blocks.begin(blocks.size())), blocks.type(), op};
    const Fold all = Fold::none(ranks);
    HalvedVector vector{rounds, blocks, reduction, all, ranks};
    vector.reduce_scatter();
    copy_to_oneself(vector.own_block(), {recvbuf, blocks.count(ranks.rank), blocks.type()}, ranks);
    return MPI_SUCCESS;
}

int reduce_scatter_by_circulant_rounds(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                       const Ranks& ranks) {
    return reduce_scatter_in_rounds(circulant_rounds(ranks.size), blocks, recvbuf, op, ranks);
}

int reduce_scatter_by_near_first_rounds(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                        const Ranks& ranks) {
    return reduce_scatter_in_rounds(near_first_rounds(ranks.size), blocks, recvbuf, op, ranks);
}

}  // namespace

int circulant_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return reduce_scatter_by(reduce_scatter_by_circulant_rounds, sendbuf, recvbuf, recvcounts,
                             datatype, op, comm);
}

int circulant_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return reduce_scatter_block_by(reduce_scatter_by_circulant_rounds, sendbuf, recvbuf, recvcount,
                                   datatype, op, comm);
}

int near_first_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return reduce_scatter_by(reduce_scatter_by_near_first_rounds, sendbuf, recvbuf, recvcounts,
                             datatype, op, comm);
}

int near_first_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                    MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return reduce_scatter_block_by(reduce_scatter_by_near_first_rounds, sendbuf, recvbuf, recvcount,
                                   datatype, op, comm);
}

}  // namespace mpiaudit
