// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scan/scan.h"

#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

int recursive_doubling_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                            MPI_Op op, MPI_Comm comm) {
    const Ranks ranks{comm};
    const Reduction reduction{count, datatype, op};
    const OperandBuffer own = reduction.buffer();
    const OperandBuffer received = reduction.buffer();
    void* subtree = own.get();
    void* incoming = received.get();
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    copy_to_oneself(reduction.all_of(input), reduction.all_of(subtree), ranks);
    if (input != recvbuf)
        copy_to_oneself(reduction.all_of(input), reduction.all_of(recvbuf), ranks);
    for (int mask = 1; mask < ranks.size; mask *= 2) {
        const int partner = ranks.rank ^ mask;
        // A subtree that is cut off by the last process has none above it that would need its sum.
        if (partner >= ranks.size) continue;
        messages::exchange(subtree, count, datatype, partner, Tag::data, incoming, count, datatype,
                           partner, Tag::data, ranks.comm);
        if (partner < ranks.rank) {
            reduction.combine(incoming, recvbuf);
            reduction.combine(incoming, subtree);
        } else {
            reduction.append(subtree, incoming);
        }
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
