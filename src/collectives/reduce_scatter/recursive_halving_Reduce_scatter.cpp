// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/reduce_scatter.h"

#include "collectives/allgather/local_copy.h"
#include "collectives/reduce_scatter/equal_counts.h"
#include "collectives/reduce_scatter/halving.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// Where the blocks of the survivors begin, those of two processes being one.
std::vector<int> survivors_blocks(const std::vector<int>& blocks, const Fold& fold) {
    std::vector<int> begins;
    for (int survivor = 0; survivor <= fold.survivors; ++survivor) {
        const int first = survivor < fold.pairs ? 2 * survivor : survivor + fold.pairs;
        begins.push_back(blocks[static_cast<std::size_t>(first)]);
    }
    return begins;
}

}  // namespace

int recursive_halving_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const Processes processes{comm};
    const Fold fold{processes};
    const int rank = processes.rank;
    const std::vector<int> blocks = consecutive_blocks(recvcounts, processes.size);
    const Reduction reduction{blocks.back(), datatype, op};
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    if (fold.hands_over) {
        messages::send(input, reduction.count, datatype, rank + 1, message_tag, processes.comm);
        messages::receive(recvbuf, recvcounts[rank], datatype, rank + 1, message_tag,
                          processes.comm);
        return MPI_SUCCESS;
    }
    const OperandBuffer result = reduction.buffer(input);
    const OperandBuffer incoming = reduction.buffer(input);
    local_copy(input, reduction.count, datatype, result.get(), reduction.count, datatype,
               processes);
    if (fold.acts_for_two) take_over(reduction, result.get(), incoming.get(), processes);
    reduce_by_halving(reduction, survivors_blocks(blocks, fold), result.get(), incoming.get(), fold,
                      processes);
    const auto own = blocks.begin() + rank;
    if (fold.acts_for_two)
        messages::send(reduction.at(result.get(), own[-1]), recvcounts[rank - 1], datatype,
                       rank - 1, message_tag, processes.comm);
    local_copy(reduction.at(result.get(), *own), recvcounts[rank], datatype, recvbuf,
               recvcounts[rank], datatype, processes);
    return MPI_SUCCESS;
}

int recursive_halving_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return recursive_halving_Reduce_scatter(sendbuf, recvbuf, equal_counts(recvcount, comm).data(),
                                            datatype, op, comm);
}

}  // namespace mpiaudit
