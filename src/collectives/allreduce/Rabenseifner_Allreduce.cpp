// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"

#include "collectives/allgather/local_copy.h"
#include "collectives/reduce_scatter/halving.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// The parts of the survivors are collected by recursive doubling.
void replicate_parts(const Reduction& reduction, const std::vector<int>& begins, void* result,
                     const Fold& fold, const Processes& processes) {
    const auto begin = [&](int part) { return begins[static_cast<std::size_t>(part)]; };
    for (int mask = 1; mask < fold.survivors; mask *= 2) {
        const int partner = fold.number ^ mask;
        const int process = fold.position(partner);
        const int mine = fold.number - fold.number % mask;
        const int theirs = partner - partner % mask;
        messages::exchange(reduction.at(result, begin(mine)), begin(mine + mask) - begin(mine),
                           reduction.type, process, message_tag,
                           reduction.at(result, begin(theirs)),
                           begin(theirs + mask) - begin(theirs), reduction.type, process,
                           message_tag, processes.comm);
    }
}

}  // namespace

int Rabenseifner_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm) {
    const Processes processes{comm};
    const Fold fold{processes};
    const Reduction reduction{count, datatype, op};
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    const int rank = processes.rank;
    if (fold.hands_over) {
        messages::send(input, count, datatype, rank + 1, message_tag, processes.comm);
        messages::receive(recvbuf, count, datatype, rank + 1, message_tag, processes.comm);
        return MPI_SUCCESS;
    }
    const OperandBuffer incoming = reduction.buffer(input);
    if (input != recvbuf) local_copy(input, count, datatype, recvbuf, count, datatype, processes);
    if (fold.acts_for_two) take_over(reduction, recvbuf, incoming.get(), processes);
    const std::vector<int> begins = even_parts(count, fold.survivors);
    reduce_by_halving(reduction, begins, recvbuf, incoming.get(), fold, processes);
    replicate_parts(reduction, begins, recvbuf, fold, processes);
    if (fold.acts_for_two)
        messages::send(recvbuf, count, datatype, rank - 1, message_tag, processes.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
