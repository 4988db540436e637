// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce/reduce.h"

#include "collectives/allgather/local_copy.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

// From the last process to the first, because the new operand has to be the left one.
int linear_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  int root, MPI_Comm comm) {
    const Processes processes{comm};
    const Reduction reduction{count, datatype, op};
    if (processes.rank != root) {
        messages::send(sendbuf, count, datatype, root, message_tag, processes.comm);
        return MPI_SUCCESS;
    }
    const int last = processes.size - 1;
    const OperandBuffer incoming =
        last > 0 ? reduction.buffer(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf) : OperandBuffer{};
    OperandBuffer saved;
    const void* own = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    if (sendbuf == MPI_IN_PLACE && root != last) {
        saved = reduction.buffer(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf);
        local_copy(recvbuf, count, datatype, saved.get(), count, datatype, processes);
        own = saved.get();
    }
    for (int source = last; source >= 0; --source) {
        void* target = source == last ? recvbuf : incoming.get();
        if (source != root)
            messages::receive(target, count, datatype, source, message_tag, processes.comm);
        else if (source == last && own != recvbuf)
            local_copy(own, count, datatype, recvbuf, count, datatype, processes);
        if (source != last) reduction.combine(source == root ? own : target, recvbuf);
    }
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
