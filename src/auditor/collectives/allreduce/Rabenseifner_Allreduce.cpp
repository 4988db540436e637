// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"

#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce_scatter/halving.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// The parts of the survivors are collected by recursive doubling.
void replicate_parts(const Blocks& parts, const Fold& fold, const Ranks& ranks) {
    for (int mask = 1; mask < fold.survivors; mask *= 2) {
        const int partner = fold.number ^ mask;
        const int rank = fold.position(partner);
        const TypedBuffer mine = parts.message(fold.number - fold.number % mask, mask);
        const TypedBuffer theirs = parts.message(partner - partner % mask, mask);
        messages::exchange(mine.address, mine.count, mine.type, rank, Tag::data, theirs.address,
                           theirs.count, theirs.type, rank, Tag::data, ranks.comm);
    }
}

int allreduce_by_halving(Halving order, const void* sendbuf, void* recvbuf, int count,
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const Ranks ranks{comm};
    const Fold fold{ranks, order};
    const Reduction reduction{count, datatype, op};
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    const int rank = ranks.rank;
    if (fold.hands_over) {
        messages::send(input, count, datatype, rank + 1, Tag::data, ranks.comm);
        messages::receive(recvbuf, count, datatype, rank + 1, Tag::data, ranks.comm);
        return MPI_SUCCESS;
    }
    const OperandBuffer incoming = reduction.buffer();
    if (input != recvbuf)
        copy_to_oneself(reduction.all_of(input), reduction.all_of(recvbuf), ranks);
    if (fold.acts_for_two) take_over(reduction, recvbuf, incoming.get(), ranks);
    const Blocks parts = Blocks::split(recvbuf, count, datatype, fold.survivors);
    reduce_by_halving(reduction, parts, incoming.get(), fold, ranks);
    replicate_parts(parts, fold, ranks);
    if (fold.acts_for_two)
        messages::send(recvbuf, count, datatype, rank - 1, Tag::data, ranks.comm);
    return MPI_SUCCESS;
}

}  // namespace

int Rabenseifner_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm) {
    return allreduce_by_halving(Halving::far_first, sendbuf, recvbuf, count, datatype, op, comm);
}

int near_first_Rabenseifner_Allreduce(const void* sendbuf, void* recvbuf, int count,
                                      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return allreduce_by_halving(Halving::near_first, sendbuf, recvbuf, count, datatype, op, comm);
}

}  // namespace mpiaudit
