// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/datatypes/copy_block.h"

#include <cstring>

#include "collectives/datatypes/signature.h"

namespace mpiaudit {

void copy_block(const TypedBuffer& from, const TypedBuffer& to, std::int64_t bytes,
                MPI_Comm private_comm, int tag) {
    if (bytes == 0) return;
    if (is_dense(from.type) && is_dense(to.type)) {
        std::memcpy(to.address, from.address, static_cast<std::size_t>(bytes));
        return;
    }
    int rank = 0;
    MPI_Comm_rank(private_comm, &rank);
    MPI_Sendrecv(from.address, from.count, from.type, rank, tag, to.address, to.count, to.type,
                 rank, tag, private_comm, MPI_STATUS_IGNORE);
}

}  // namespace mpiaudit
