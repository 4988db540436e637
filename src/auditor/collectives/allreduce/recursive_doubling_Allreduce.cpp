// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"

#include "collectives/allreduce/allreduce_by.h"
#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce_scatter/fold.h"
#include "messages/messages.h"

namespace mpiaudit {

void allreduce_by_recursive_doubling(const Reduction& reduction, const void* input, void* output,
                                     const Ranks& ranks) {
    const Fold fold{ranks};
    const int count = reduction.count;
    const MPI_Datatype type = reduction.type;
    const int rank = ranks.rank;
    if (fold.hands_over) {
        messages::send(input, count, type, rank + 1, Tag::data, ranks.comm);
        messages::receive(output, count, type, rank + 1, Tag::data, ranks.comm);
        return;
    }
    const OperandBuffer received = reduction.buffer();
    void* result = output;
    void* incoming = received.get();
    if (input != result) copy_to_oneself(reduction.all_of(input), reduction.all_of(result), ranks);
    if (fold.acts_for_two) take_over(reduction, result, incoming, ranks);
    for (int mask = 1; mask < fold.survivors; mask *= 2) {
        const int partner = fold.number ^ mask;
        const int other = fold.position(partner);
        messages::exchange(result, count, type, other, Tag::data, incoming, count, type, other,
                           Tag::data, ranks.comm);
        if (partner < fold.number)
            reduction.combine(incoming, result);
        else
            reduction.append(result, incoming);
    }
    if (result != output)
        copy_to_oneself(reduction.all_of(result), reduction.all_of(output), ranks);
    if (fold.acts_for_two) messages::send(output, count, type, rank - 1, Tag::data, ranks.comm);
}

int recursive_doubling_Allreduce(const void* sendbuf, void* recvbuf, int count,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    allreduce_by_recursive_doubling(Reduction{count, datatype, op},
                                    sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, recvbuf,
                                    Ranks{comm});
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
