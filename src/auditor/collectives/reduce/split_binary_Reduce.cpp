// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/call/segments.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduce.h"
#include "collectives/reduce/tree_reduction.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// What goes down in split_binary_Bcast goes up here: ranks beside each other first give each other
/// the half that is not theirs. Returns where a rank's operands are afterwards.
Blocks take_halves_from_neighbours(const Reduction& reduction, const Blocks& own,
                                   const OperandBuffer& buffer, const Ranks& ranks) {
    const bool has_both = ranks.size % 2 == 0 && ranks.position == ranks.size - 1;
    if (ranks.position == 0 || has_both) return own;
    const int n = own.size() / 2;
    const Blocks incoming = own.in(buffer.get());
    const bool has_first = ranks.position % 2 == 1;
    const int partner = ranks.shifted(has_first ? 1 : -1);
    const int kept = has_first ? 0 : n;
    const TypedBuffer given = own.message(n - kept, n);
    const TypedBuffer into = incoming.message(kept, n);
    messages::exchange(given.address, given.count, given.type, partner, Tag::data, into.address,
                       into.count, into.type, partner, Tag::data, ranks.comm);
    reduction.combine(own.message(kept, n).address, into);
    return incoming;
}

}  // namespace

int split_binary_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, int root, MPI_Comm comm) {
    const Ranks ranks{comm, root};
    const Reduction reduction{count, datatype, op};
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    const int n = half_vector_segments(Blocks::split(input, count, datatype, 1).bytes(0), count,
                                       preorder_height(ranks.size / 2));
    const Blocks own = Blocks::split(input, count, datatype, 2 * n);
    const OperandBuffer buffer = ranks.position > 0 ? reduction.buffer() : OperandBuffer{};
    const Blocks halves = take_halves_from_neighbours(reduction, own, buffer, ranks);
    reduce_up(split_trees(ranks.position, ranks.size), reduction, halves, recvbuf, ranks);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
