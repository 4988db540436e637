// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/reduce_scatter.h"

#include "collectives/MPICH2004_limits.h"
#include "collectives/reduce/reduction.h"
#include "collectives/reduce_scatter/reduce_scatter_by.h"

namespace mpiaudit {
namespace {

int as_MPICH2004(const Blocks& blocks, void* recvbuf, MPI_Op op, const Ranks& ranks) {
    const bool is_commutative = Reduction{0, blocks.type(), op}.is_commutative;
    const auto short_reduce_scatter =
        is_commutative ? reduce_scatter_by_recursive_halving : reduce_scatter_by_recursive_doubling;
    using namespace MPICH2004_limits;
    const bool is_long =
        blocks.bytes(0, blocks.size()) >=
        (is_commutative ? long_reduce_scatter : long_noncommutative_reduce_scatter);
    const auto reduce_scatter =
        is_long ? reduce_scatter_by_pairwise_exchange : short_reduce_scatter;
    return reduce_scatter(blocks, recvbuf, op, ranks);
}

}  // namespace

int MPICH2004_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return reduce_scatter_by(as_MPICH2004, sendbuf, recvbuf, recvcounts, datatype, op, comm);
}

int MPICH2004_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return reduce_scatter_block_by(as_MPICH2004, sendbuf, recvbuf, recvcount, datatype, op, comm);
}

}  // namespace mpiaudit
