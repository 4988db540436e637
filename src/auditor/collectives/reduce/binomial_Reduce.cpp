// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce/reduce.h"

#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

void reduce_by_binomial_tree(const Reduction& reduction, const void* input, void* output,
                             const Ranks& ranks) {
    const int count = reduction.count;
    const MPI_Datatype type = reduction.type;
    const int position = ranks.position;
    const bool is_leaf = position % 2 == 1 || position + 1 == ranks.size;
    if (position > 0 && is_leaf) {
        // position & (position - 1): without the lowest bit.
        messages::send(input, count, type, ranks.at(position & (position - 1)), Tag::data,
                       ranks.comm);
        return;
    }
    const OperandBuffer own = position > 0 ? reduction.buffer() : OperandBuffer{};
    const OperandBuffer received = is_leaf ? OperandBuffer{} : reduction.buffer();
    void* result = position > 0 ? own.get() : output;
    void* incoming = received.get();
    if (input != result) copy_to_oneself(reduction.all_of(input), reduction.all_of(result), ranks);
    for (int mask = 1; mask < ranks.size; mask *= 2) {
        if (position & mask) {
            messages::send(result, count, type, ranks.shifted(-mask), Tag::data, ranks.comm);
            return;
        }
        if (position + mask >= ranks.size) continue;
        messages::receive(incoming, count, type, ranks.shifted(mask), Tag::data, ranks.comm);
        reduction.append(result, incoming);
    }
    if (result != output)
        copy_to_oneself(reduction.all_of(result), reduction.all_of(output), ranks);
}

int binomial_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    int root, MPI_Comm comm) {
    return reduce_in_order_of_ranks(reduce_by_binomial_tree, sendbuf, recvbuf,
                                    {count, datatype, op}, root, comm);
}

}  // namespace mpiaudit
