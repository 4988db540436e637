// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/reduce_scatter.h"

#include "collectives/MPICH2004_limits.h"
#include "collectives/reduce/reduction.h"
#include "collectives/reduce_scatter/reduce_scatter_by.h"

namespace mpiaudit {

int reduce_scatter_as_MPICH2004(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                const Ranks& ranks) {
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

}  // namespace mpiaudit
