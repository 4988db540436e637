// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scan/scan.h"

#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

int linear_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm) {
    const Ranks ranks{comm};
    const Reduction reduction{count, datatype, op};
    const int rank = ranks.rank;
    if (sendbuf != MPI_IN_PLACE)
        copy_to_oneself(reduction.all_of(sendbuf), reduction.all_of(recvbuf), ranks);
    if (rank > 0) {
        const OperandBuffer prefix = reduction.buffer();
        messages::receive(prefix.get(), count, datatype, rank - 1, Tag::data, ranks.comm);
        reduction.combine(prefix.get(), recvbuf);
    }
    if (rank + 1 < ranks.size)
        messages::send(recvbuf, count, datatype, rank + 1, Tag::data, ranks.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
