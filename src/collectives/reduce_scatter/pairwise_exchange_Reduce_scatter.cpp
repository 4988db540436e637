// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/reduce_scatter.h"

#include <utility>

#include "collectives/allgather/local_copy.h"
#include "collectives/reduce_scatter/equal_counts.h"
#include "collectives/reduce_scatter/halving.h"
#include "messages/messages.h"

namespace mpiaudit {

// Operands come from the processes before this one, nearest first, and then from the last process
// down to the one after this one. An operator that does not commute needs them apart: the former
// are put left of the result, the latter are combined in a buffer that goes to its right.
int pairwise_exchange_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const Processes processes{comm};
    const int rank = processes.rank;
    const int size = processes.size;
    const std::vector<int> begins = consecutive_blocks(recvcounts, size);
    const Reduction reduction{recvcounts[rank], datatype, op};
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    const OperandBuffer received = reduction.buffer(input);
    const OperandBuffer spare =
        reduction.is_commutative ? OperandBuffer{} : reduction.buffer(input);
    const OperandBuffer own = sendbuf == MPI_IN_PLACE ? reduction.buffer(input) : OperandBuffer{};
    void* result = sendbuf == MPI_IN_PLACE ? own.get() : recvbuf;
    void* incoming = received.get();
    void* higher = spare.get();
    const auto block = [&](int process) {
        return reduction.at(input, begins[static_cast<std::size_t>(process)]);
    };
    const int count = reduction.count;
    local_copy(block(rank), count, datatype, result, count, datatype, processes);
    for (int step = 1; step < size; ++step) {
        const int destination = (rank + step) % size;
        const int source = (rank - step + size) % size;
        messages::exchange(block(destination), recvcounts[destination], datatype, destination,
                           message_tag, incoming, count, datatype, source, message_tag,
                           processes.comm);
        if (reduction.is_commutative || source < rank)
            reduction.combine(incoming, result);
        else if (source == size - 1)
            std::swap(incoming, higher);
        else
            reduction.combine(incoming, higher);
    }
    if (!reduction.is_commutative && rank < size - 1) {
        reduction.combine(result, higher);
        result = higher;
    }
    if (result != recvbuf) local_copy(result, count, datatype, recvbuf, count, datatype, processes);
    return MPI_SUCCESS;
}

int pairwise_exchange_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return pairwise_exchange_Reduce_scatter(sendbuf, recvbuf, equal_counts(recvcount, comm).data(),
                                            datatype, op, comm);
}

}  // namespace mpiaudit
