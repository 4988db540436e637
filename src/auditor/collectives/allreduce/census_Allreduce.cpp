// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/allreduce/allreduce.h"
#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

// A rank has the sum of the `width` ranks before it on the ring. A bit of p-1 that is set: it
// passes that on with its own operands, else without, so that in the end the width is p-1.
int census_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm) {
    const Ranks ranks{comm};
    const Reduction reduction{count, datatype, op};
    if (sendbuf != MPI_IN_PLACE)
        copy_to_oneself(reduction.all_of(sendbuf), reduction.all_of(recvbuf), ranks);
    const int others = ranks.size - 1;
    if (others == 0) return MPI_SUCCESS;
    const OperandBuffer sum = reduction.buffer();
    const OperandBuffer message = reduction.buffer();
    const OperandBuffer incoming = reduction.buffer();
    int bit = 1;
    while (bit <= others / 2) bit *= 2;
    for (int width = 0; bit > 0; bit /= 2) {
        const bool is_wide = (others & bit) != 0;
        const void* sent = width == 0 ? recvbuf : sum.get();
        if (is_wide && width > 0) {
            copy_to_oneself(reduction.all_of(sum.get()), reduction.all_of(message.get()), ranks);
            reduction.combine(recvbuf, message.get());
            sent = message.get();
        }
        void* received = width == 0 ? sum.get() : incoming.get();
        const int skip = is_wide ? width + 1 : width;
        messages::exchange(sent, count, datatype, ranks.shifted(skip), Tag::data, received, count,
                           datatype, ranks.shifted(-skip), Tag::data, ranks.comm);
        if (width > 0) reduction.combine(incoming.get(), sum.get());
        width += skip;
    }
    reduction.combine(sum.get(), recvbuf);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
