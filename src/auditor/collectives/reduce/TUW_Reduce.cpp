// SPDX-License-Identifier: BSD-3-Clause
#include <utility>
#include <vector>

#include "collectives/call/copy.h"
#include "collectives/patterns/ordered_tree.h"
#include "collectives/patterns/reduction.h"
#include "collectives/reduce/reduce.h"

namespace mpiaudit {
namespace {

/// The reduction over a subtree in rank order: what a child sends stands on the side of its ranks,
/// which follow or precede those reduced so far. Starts with the values of this rank, `own`; every
/// step leaves its result in one of the two buffers. Returns which.
void* reduced_subtree(const Reduction& reduction, const std::vector<Subtree>& children,
                      const void* own, void* reduced, void* arrived, const Ranks& ranks) {
    const void* value = own;
    for (const Subtree& child : children) {
        ranks.receive(reduction.all_of(arrived), child.root);
        // MPI can only leave a result in the right operand.
        if (child.first < ranks.rank) {
            reduction.move(value, reduced, ranks);
            reduction.combine(arrived, reduced);
        } else {
            reduction.combine(value, arrived);
            std::swap(reduced, arrived);
        }
        value = reduced;
    }
    return reduced;
}

void reduce_to_parent(const Reduction& reduction, const GatherNode& node, const void* own,
                      const Ranks& ranks) {
    const auto send = [&](const void* values) {
        ranks.send(reduction.all_of(values), node.parent);
    };
    if (node.children.empty()) return send(own);
    const OperandBuffer arrived = reduction.buffer();
    // A single child from the right is reduced where it arrives.
    const bool needs_second = node.children.size() > 1 || node.children[0].first < ranks.rank;
    const OperandBuffer second = needs_second ? reduction.buffer() : OperandBuffer{};
    send(reduced_subtree(reduction, node.children, own, second.get(), arrived.get(), ranks));
}

void reduce_at_root(const Reduction& reduction, const GatherNode& node, const void* own,
                    void* recvbuf, const Ranks& ranks) {
    if (node.children.empty()) return reduction.move(own, recvbuf, ranks);
    const OperandBuffer arrived = reduction.buffer();
    const void* reduced =
        reduced_subtree(reduction, node.children, own, recvbuf, arrived.get(), ranks);
    reduction.move(reduced, recvbuf, ranks);
}

}  // namespace

int TUW_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               int root, MPI_Comm comm) {
    if (count == 0) return MPI_SUCCESS;
    const Ranks ranks{comm};
    const Reduction reduction{count, datatype, op};
    const GatherNode node = regular_ordered_node(ranks.rank, ranks.size, root, 1);
    if (ranks.rank == root)
        reduce_at_root(reduction, node, sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, recvbuf,
                       ranks);
    else
        reduce_to_parent(reduction, node, sendbuf, ranks);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
