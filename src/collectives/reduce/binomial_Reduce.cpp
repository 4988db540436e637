// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce/reduce.h"

#include "collectives/allgather/local_copy.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

void reduce_by_binomial_tree(const Reduction& reduction, const void* input, void* output,
                             const Processes& processes) {
    const int count = reduction.count;
    const MPI_Datatype type = reduction.type;
    const int rank = processes.rank;
    const bool is_leaf = rank % 2 == 1 || rank + 1 == processes.size;
    if (rank > 0 && is_leaf) {
        // rank & (rank - 1): without the lowest bit.
        messages::send(input, count, type, processes.process(rank & (rank - 1)), message_tag,
                       processes.comm);
        return;
    }
    const OperandBuffer own = rank > 0 ? reduction.buffer(input) : OperandBuffer{};
    const OperandBuffer received = is_leaf ? OperandBuffer{} : reduction.buffer(input);
    void* result = rank > 0 ? own.get() : output;
    void* incoming = received.get();
    if (input != result) local_copy(input, count, type, result, count, type, processes);
    for (int mask = 1; mask < processes.size; mask *= 2) {
        if (rank & mask) {
            messages::send(result, count, type, processes.process(rank - mask), message_tag,
                           processes.comm);
            return;
        }
        if (rank + mask >= processes.size) continue;
        messages::receive(incoming, count, type, processes.process(rank + mask), message_tag,
                          processes.comm);
        reduction.append(result, incoming);
    }
    if (result != output) local_copy(result, count, type, output, count, type, processes);
}

// The tree of a commutative operation is numbered from the root. Otherwise the order of the ranks
// counts: the tree ends at process 0, which sends the result to the root.
int binomial_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    int root, MPI_Comm comm) {
    const Reduction reduction{count, datatype, op};
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    const Processes processes{comm, reduction.is_commutative ? root : 0};
    const int root_position = reduction.is_commutative ? 0 : root;
    if (root_position == 0) {
        reduce_by_binomial_tree(reduction, input, recvbuf, processes);
        return MPI_SUCCESS;
    }
    const OperandBuffer detour = processes.rank == 0 ? reduction.buffer(input) : OperandBuffer{};
    reduce_by_binomial_tree(reduction, input, detour.get(), processes);
    if (processes.rank == 0)
        messages::send(detour.get(), count, datatype, root, message_tag, processes.comm);
    if (processes.rank == root)
        messages::receive(recvbuf, count, datatype, 0, message_tag, processes.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
