// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/call/copy.h"
#include "collectives/call/knomial_tree.h"
#include "collectives/call/tags.h"
#include "collectives/reduce/reduce.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

void reduce_by_knomial_tree(const Reduction& reduction, const void* input, void* output,
                            const Ranks& ranks) {
    const KnomialTree tree{ranks.position, ranks.size};
    const bool is_root = ranks.position == 0;
    const int parent = is_root ? 0 : ranks.at(tree.parent());
    if (!is_root && tree.is_leaf())
        return messages::send(input, reduction.count, reduction.type, parent, Tag::data,
                              ranks.comm);
    const OperandBuffer own = is_root ? OperandBuffer{} : reduction.buffer();
    const OperandBuffer received = ranks.size == 1 ? OperandBuffer{} : reduction.buffer();
    void* result = is_root ? output : own.get();
    void* incoming = received.get();
    if (input != result) copy_to_oneself(reduction.all_of(input), reduction.all_of(result), ranks);
    // The nearest subtrees first, so that operands come in the order of the positions.
    for (int weight = 1; weight < tree.weight(); weight *= KnomialTree::radix) {
        for (const int child : tree.children(weight)) {
            messages::receive(incoming, reduction.count, reduction.type, ranks.at(child), Tag::data,
                              ranks.comm);
            reduction.append(result, incoming);
        }
    }
    if (!is_root)
        messages::send(result, reduction.count, reduction.type, parent, Tag::data, ranks.comm);
    else if (result != output)
        copy_to_oneself(reduction.all_of(result), reduction.all_of(output), ranks);
}

}  // namespace

int knomial_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   int root, MPI_Comm comm) {
    return reduce_in_order_of_ranks(reduce_by_knomial_tree, sendbuf, recvbuf, {count, datatype, op},
                                    root, comm);
}

}  // namespace mpiaudit
