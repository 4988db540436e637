// SPDX-License-Identifier: BSD-3-Clause
#include <ranges>

#include "collectives/bcast/bine_tree.h"
#include "collectives/call/copy.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduce.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {

int bine_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm) {
    const Ranks ranks{comm, root};
    const Reduction reduction{count, datatype, op};
    const std::shared_ptr<const BineTree> tree = bine_tree_of(ranks);
    const bool is_root = ranks.position == 0, is_leaf = tree->children.empty();
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    if (!is_root && is_leaf) {
        messages::send(input, count, datatype, tree->parent, Tag::data, ranks.comm);
        return MPI_SUCCESS;
    }
    const OperandBuffer own = is_root ? OperandBuffer{} : reduction.buffer();
    const OperandBuffer incoming = is_leaf ? OperandBuffer{} : reduction.buffer();
    void* const result = is_root ? recvbuf : own.get();
    if (input != result) copy_to_oneself(reduction.all_of(input), reduction.all_of(result), ranks);
    for (const int child : std::views::reverse(tree->children)) {
        messages::receive(incoming.get(), count, datatype, child, Tag::data, ranks.comm);
        reduction.combine(incoming.get(), result);
    }
    if (!is_root) messages::send(result, count, datatype, tree->parent, Tag::data, ranks.comm);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
