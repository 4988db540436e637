// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce/reduce.h"

#include "collectives/allgather/local_copy.h"
#include "collectives/reduce_scatter/halving.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// Position 0 for the root, or 1 where processes are folded, so that it is the first survivor.
Processes counted_from_root(MPI_Comm comm, int root) {
    const int size = messages::size_of(comm);
    const bool is_power_of_two = power_of_two_below(size) == size;
    return Processes{comm, is_power_of_two ? root : (root - 1 + size) % size};
}

/// Gathers the parts of the survivors in the first one, along a binomial tree.
void gather_parts(const Reduction& reduction, const std::vector<int>& begins, void* result,
                  const Fold& fold, const Processes& processes) {
    const int number = fold.number;
    for (int mask = 1; mask < fold.survivors; mask *= 2) {
        const bool is_sender = (number & mask) != 0;
        const auto first = static_cast<std::size_t>(is_sender ? number : number + mask);
        const int begin = begins[first];
        const int count = begins[first + static_cast<std::size_t>(mask)] - begin;
        const int process = processes.process(fold.position(number ^ mask));
        if (is_sender) {
            messages::send(reduction.at(result, begin), count, reduction.type, process, message_tag,
                           processes.comm);
            return;
        }
        messages::receive(reduction.at(result, begin), count, reduction.type, process, message_tag,
                          processes.comm);
    }
}

}  // namespace

int Rabenseifner_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, int root, MPI_Comm comm) {
    const Processes processes = counted_from_root(comm, root);
    const Fold fold{processes};
    const Reduction reduction{count, datatype, op};
    if (fold.hands_over) {
        messages::send(sendbuf, count, datatype, processes.process(processes.rank + 1), message_tag,
                       processes.comm);
        return MPI_SUCCESS;
    }
    const bool is_root = fold.number == 0;
    const OperandBuffer own =
        is_root ? OperandBuffer{} : reduction.buffer(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf);
    const OperandBuffer incoming = reduction.buffer(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf);
    void* result = is_root ? recvbuf : own.get();
    if (sendbuf != MPI_IN_PLACE)
        local_copy(sendbuf, count, datatype, result, count, datatype, processes);
    if (fold.acts_for_two) take_over(reduction, result, incoming.get(), processes);
    const std::vector<int> begins = even_parts(count, fold.survivors);
    reduce_by_halving(reduction, begins, result, incoming.get(), fold, processes);
    gather_parts(reduction, begins, result, fold, processes);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
