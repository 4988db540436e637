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

}  // namespace

int reduce_scatter_by_circulant_rounds(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                       const Ranks& ranks) {
    return reduce_scatter_in_rounds(circulant_rounds(ranks.size), blocks, recvbuf, op, ranks);
}

int reduce_scatter_by_near_first_rounds(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                        const Ranks& ranks) {
    return reduce_scatter_in_rounds(near_first_rounds(ranks.size), blocks, recvbuf, op, ranks);
}

}  // namespace mpiaudit
