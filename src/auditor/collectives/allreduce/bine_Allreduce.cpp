// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"
#include "collectives/call/bine.h"
#include "collectives/call/copy.h"
#include "collectives/reduce_scatter/halving_rounds.h"

namespace mpiaudit {
namespace {

/// By an algorithm among a power of two of the ranks, which reduces what is in the result buffer;
/// `incoming` is as large.
template <class Algorithm>
int allreduce_among_survivors(const Algorithm& algorithm, const void* sendbuf, void* recvbuf,
                              const Reduction& reduction, const Ranks& ranks) {
    const Fold fold{ranks};
    const int count = reduction.count, rank = ranks.rank;
    if (fold.hands_over) {
        const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
        messages::send(input, count, reduction.type, rank + 1, Tag::data, ranks.comm);
        messages::receive(recvbuf, count, reduction.type, rank + 1, Tag::data, ranks.comm);
        return MPI_SUCCESS;
    }
    const OperandBuffer incoming = reduction.buffer();
    if (sendbuf != MPI_IN_PLACE)
        copy_to_oneself(reduction.all_of(sendbuf), reduction.all_of(recvbuf), ranks);
    if (fold.acts_for_two) take_over(reduction, recvbuf, incoming.get(), ranks);
    algorithm(fold, incoming.get());
    if (fold.acts_for_two)
        messages::send(recvbuf, count, reduction.type, rank - 1, Tag::data, ranks.comm);
    return MPI_SUCCESS;
}

}  // namespace

int swing_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm) {
    const Ranks ranks{comm};
    const Reduction reduction{count, datatype, op};
    const auto exchange_whole_vectors = [&](const Fold& fold, void* incoming) {
        for (int round = 0; round < ceil_log2(fold.survivors); ++round) {
            const int partner = fold.position(bine_partner(fold.number, round, fold.survivors));
            messages::exchange(recvbuf, count, datatype, partner, Tag::data, incoming, count,
                               datatype, partner, Tag::data, ranks.comm);
            reduction.combine(incoming, recvbuf);
        }
    };
    return allreduce_among_survivors(exchange_whole_vectors, sendbuf, recvbuf, reduction, ranks);
}

int bine_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm) {
    const Ranks ranks{comm};
    const Reduction reduction{count, datatype, op};
    const auto exchange_parts = [&](const Fold& fold, void*) {
        const HalvingRounds rounds = bine_rounds(fold.survivors);
        const Blocks parts = Blocks::split(recvbuf, count, datatype, fold.survivors);
        HalvedVector vector{rounds, parts, reduction, fold, ranks};
        vector.reduce_scatter();
        vector.allgather();
        vector.copy_to(parts);
    };
    return allreduce_among_survivors(exchange_parts, sendbuf, recvbuf, reduction, ranks);
}

}  // namespace mpiaudit
