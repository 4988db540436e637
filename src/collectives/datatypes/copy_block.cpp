// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/datatypes/copy_block.h"

#include "collectives/datatypes/signature.h"
#include "messages/messages.h"

namespace mpiaudit {

void copy_block(const TypedBuffer& from, const TypedBuffer& to, std::int64_t bytes,
                MPI_Comm private_comm, int tag) {
    if (bytes == 0) return;
    if (is_dense(from.type) && is_dense(to.type)) {
        messages::copy(to.address, from.address, static_cast<std::size_t>(bytes));
        return;
    }
    const int rank = messages::rank_in(private_comm);
    messages::exchange(from.address, from.count, from.type, rank, tag, to.address, to.count,
                       to.type, rank, tag, private_comm);
}

}  // namespace mpiaudit
