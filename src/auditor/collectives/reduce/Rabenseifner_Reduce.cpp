// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce/reduce.h"

#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce_scatter/halving.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// Position 0 for the root, or 1 where ranks are folded, so that it is the first survivor.
Ranks counted_from_root(MPI_Comm comm, int root) {
    const int size = messages::size_of(comm);
    const bool is_power_of_two = power_of_two_below(size) == size;
    return Ranks{comm, is_power_of_two ? root : (root - 1 + size) % size};
}

/// Gathers the parts of the survivors in the first one, along a binomial tree.
void gather_parts(const Blocks& parts, const Fold& fold, const Ranks& ranks) {
    const int number = fold.number;
    for (int mask = 1; mask < fold.survivors; mask *= 2) {
        const bool is_sender = (number & mask) != 0;
        const TypedBuffer gathered = parts.message(is_sender ? number : number + mask, mask);
        const int rank = ranks.at(fold.position(number ^ mask));
        if (is_sender) {
            messages::send(gathered.address, gathered.count, gathered.type, rank, Tag::data,
                           ranks.comm);
            return;
        }
        messages::receive(gathered.address, gathered.count, gathered.type, rank, Tag::data,
                          ranks.comm);
    }
}

int reduce_by_halving_and_gather(Halving order, const void* sendbuf, void* recvbuf, int count,
                                 MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
    const Ranks ranks = counted_from_root(comm, root);
    const Fold fold{ranks, order};
    const Reduction reduction{count, datatype, op};
    if (fold.hands_over) {
        messages::send(sendbuf, count, datatype, ranks.shifted(1), Tag::data, ranks.comm);
        return MPI_SUCCESS;
    }
    const bool is_root = fold.number == 0;
    const OperandBuffer own = is_root ? OperandBuffer{} : reduction.buffer();
    const OperandBuffer incoming = reduction.buffer();
    void* result = is_root ? recvbuf : own.get();
    if (sendbuf != MPI_IN_PLACE)
        copy_to_oneself(reduction.all_of(sendbuf), reduction.all_of(result), ranks);
    if (fold.acts_for_two) take_over(reduction, result, incoming.get(), ranks);
    const Blocks parts = Blocks::split(result, count, datatype, fold.survivors);
    reduce_by_halving(reduction, parts, incoming.get(), fold, ranks);
    gather_parts(parts, fold, ranks);
    return MPI_SUCCESS;
}

}  // namespace

int Rabenseifner_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, int root, MPI_Comm comm) {
    return reduce_by_halving_and_gather(Halving::far_first, sendbuf, recvbuf, count, datatype, op,
                                        root, comm);
}

int near_first_Rabenseifner_Reduce(const void* sendbuf, void* recvbuf, int count,
                                   MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
    return reduce_by_halving_and_gather(Halving::near_first, sendbuf, recvbuf, count, datatype, op,
                                        root, comm);
}

}  // namespace mpiaudit
