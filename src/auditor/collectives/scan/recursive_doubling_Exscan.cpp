// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/scan/scan.h"

#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

int recursive_doubling_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                              MPI_Op op, MPI_Comm comm) {
    const Ranks ranks{comm};
    const Reduction reduction{count, datatype, op};
    const OperandBuffer own = reduction.buffer();
    const OperandBuffer received = reduction.buffer();
    void* subtree = own.get();
    void* incoming = received.get();
    copy_to_oneself(reduction.all_of(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf),
                    reduction.all_of(subtree), ranks);
    bool has_prefix = false;
    for (int mask = 1; mask < ranks.size; mask *= 2) {
        const int partner = ranks.rank ^ mask;
        if (partner >= ranks.size) continue;
        messages::exchange(subtree, count, datatype, partner, Tag::data, incoming, count, datatype,
                           partner, Tag::data, ranks.comm);
        if (partner > ranks.rank) {
            reduction.append(subtree, incoming);
            continue;
        }
        if (has_prefix)
            reduction.combine(incoming, recvbuf);
        else
            copy_to_oneself(reduction.all_of(incoming), reduction.all_of(recvbuf), ranks);
        has_prefix = true;
        reduction.combine(incoming, subtree);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
