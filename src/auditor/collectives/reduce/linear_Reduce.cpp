// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce/reduce.h"

#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

// From the last rank to the first, because the new operand has to be the left one.
int linear_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  int root, MPI_Comm comm) {
    const Ranks ranks{comm};
    const Reduction reduction{count, datatype, op};
    if (ranks.rank != root) {
        messages::send(sendbuf, count, datatype, root, Tag::data, ranks.comm);
        return MPI_SUCCESS;
    }
    const int last = ranks.size - 1;
    const OperandBuffer incoming = last > 0 ? reduction.buffer() : OperandBuffer{};
    OperandBuffer saved;
    const void* own = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    if (sendbuf == MPI_IN_PLACE && root != last) {
        saved = reduction.buffer();
        copy_to_oneself(reduction.all_of(recvbuf), reduction.all_of(saved.get()), ranks);
        own = saved.get();
    }
    for (int source = last; source >= 0; --source) {
        void* target = source == last ? recvbuf : incoming.get();
        if (source != root)
            messages::receive(target, count, datatype, source, Tag::data, ranks.comm);
        else if (source == last && own != recvbuf)
            copy_to_oneself(reduction.all_of(own), reduction.all_of(recvbuf), ranks);
        if (source != last) reduction.combine(source == root ? own : target, recvbuf);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
