// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/reduce_scatter_by.h"

#include <limits>
#include <vector>

namespace mpiaudit {

int reduce_scatter_by(BlockReduction algorithm, const void* sendbuf, void* recvbuf,
                      const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const Ranks ranks{comm};
    std::vector<std::int64_t> begins = {0};
    for (int rank = 0; rank < ranks.size; ++rank)
        begins.push_back(begins.back() + recvcounts[rank]);
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    return algorithm(Blocks::consecutive(input, begins, datatype), recvbuf, op, ranks);
}

int reduce_scatter_block_by(BlockReduction algorithm, const void* sendbuf, void* recvbuf,
                            int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const Ranks ranks{comm};
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    return algorithm(Blocks::equal(input, recvcount, datatype, ranks.size), recvbuf, op, ranks);
}

bool fits_reduce_local(const Blocks& blocks) {
    return blocks.begin(blocks.size()) <= std::numeric_limits<int>::max();
}

}  // namespace mpiaudit
