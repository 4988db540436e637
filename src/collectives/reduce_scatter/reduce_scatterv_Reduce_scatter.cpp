// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/reduce_scatter.h"

#include "collectives/allgather/local_copy.h"
#include "collectives/reduce_scatter/equal_counts.h"
#include "collectives/reduce_scatter/halving.h"
#include "messages/messages.h"

namespace mpiaudit {

int reduce_scatterv_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const Processes processes{comm};
    const std::vector<int> begins = consecutive_blocks(recvcounts, processes.size);
    const Reduction reduction{begins.back(), datatype, op};
    const bool is_root = processes.rank == 0;
    const OperandBuffer reduced =
        is_root ? reduction.buffer(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf) : OperandBuffer{};
    reduce_by_binomial_tree(reduction, sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, reduced.get(),
                            processes);
    if (!is_root) {
        messages::receive(recvbuf, recvcounts[processes.rank], datatype, 0, message_tag,
                          processes.comm);
        return MPI_SUCCESS;
    }
    local_copy(reduced.get(), recvcounts[0], datatype, recvbuf, recvcounts[0], datatype, processes);
    for (int destination = 1; destination < processes.size; ++destination)
        messages::send(reduction.at(reduced.get(), begins[static_cast<std::size_t>(destination)]),
                       recvcounts[destination], datatype, destination, message_tag, processes.comm);
    return MPI_SUCCESS;
}

int reduce_scatterv_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return reduce_scatterv_Reduce_scatter(sendbuf, recvbuf, equal_counts(recvcount, comm).data(),
                                          datatype, op, comm);
}

}  // namespace mpiaudit
