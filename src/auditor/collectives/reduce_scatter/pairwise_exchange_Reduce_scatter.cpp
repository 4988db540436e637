// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/reduce_scatter.h"

#include <utility>

#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduction.h"
#include "collectives/reduce_scatter/reduce_scatter_by.h"
#include "messages/messages.h"

namespace mpiaudit {

// Operands come from the ranks before this one, nearest first, and then from the last rank down to
// the one after this one. An operator that does not commute needs them apart: the former are put
// left of the result, the latter are combined in a buffer that goes to its right.
int reduce_scatter_by_pairwise_exchange(const Blocks& blocks, void* recvbuf, MPI_Op op,
                                        const Ranks& ranks) {
    const int rank = ranks.rank;
    const int last = ranks.size - 1;
    const bool is_in_place = blocks.buffer() == recvbuf;
    const Reduction reduction{blocks.count(rank), blocks.type(), op};
    const OperandBuffer received = reduction.buffer();
    const OperandBuffer spare = reduction.is_commutative ? OperandBuffer{} : reduction.buffer();
    const OperandBuffer own = is_in_place ? reduction.buffer() : OperandBuffer{};
    void* result = is_in_place ? own.get() : recvbuf;
    void* incoming = received.get();
    void* higher = spare.get();
    copy_to_oneself(blocks.message(rank), reduction.all_of(result), ranks);
    for (int step = 1; step < ranks.size; ++step) {
        const int destination = ranks.shifted(step);
        const int source = ranks.shifted(-step);
        messages::exchange(blocks.at(destination), blocks.count(destination), blocks.type(),
                           destination, Tag::data, incoming, reduction.count, reduction.type,
                           source, Tag::data, ranks.comm);
        if (reduction.is_commutative || source < rank)
            reduction.combine(incoming, result);
        else if (source == last)
            std::swap(incoming, higher);
        else
            reduction.combine(incoming, higher);
    }
    if (!reduction.is_commutative && rank < last) {
        reduction.combine(result, higher);
        result = higher;
    }
    if (result != recvbuf)
        copy_to_oneself(reduction.all_of(result), reduction.all_of(recvbuf), ranks);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
