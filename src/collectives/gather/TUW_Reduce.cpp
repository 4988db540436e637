// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "collectives/datatypes/copy_block.h"
#include "collectives/datatypes/signature.h"
#include "collectives/gather/gather.h"
#include "collectives/gather/gather_tags.h"
#include "collectives/gather/ordered_tree.h"
#include "messages/private_communicator.h"
#include "messages/scratch.h"

namespace mpiaudit {
namespace {

/// Memory for elements of a datatype, which may start before or after their address. All of an
/// element is there, with its gaps: an operator of the caller may assign whole structs.
class ElementBuffer {
  public:
    ElementBuffer() = default;
    ElementBuffer(int count, MPI_Datatype type) {
        MPI_Aint lower_bound = 0, extent = 0, true_lower_bound = 0, true_extent = 0;
        MPI_Type_get_extent(type, &lower_bound, &extent);
        MPI_Type_get_true_extent(type, &true_lower_bound, &true_extent);
        const MPI_Aint last = (count - 1) * extent;
        const MPI_Aint begin =
            std::min(lower_bound, true_lower_bound) + std::min<MPI_Aint>(0, last);
        const MPI_Aint end = std::max(lower_bound + extent, true_lower_bound + true_extent) +
                             std::max<MPI_Aint>(0, last);
        memory_ = Scratch(static_cast<std::size_t>(end - begin));
        elements_ = moved_by(memory_.get(), -begin);
    }
    void* elements() const { return elements_; }

  private:
    Scratch memory_;
    void* elements_ = nullptr;
};

struct ReduceCall {
    int count;
    MPI_Datatype type;
    MPI_Op op;
    int rank;
    MPI_Comm comm;

    void copy(const void* from, void* to) const {
        if (from == to) return;
        copy_block({const_cast<void*>(from), count, type}, {to, count, type},
                   count * type_bytes(type), comm, GatherTag::own_block);
    }
};

/// The reduction over a subtree in rank order: what a child sends stands on the side of its ranks,
/// which follow or precede those reduced so far. Starts with the values of this rank, `own`; every
/// step leaves its result in one of the two buffers. Returns which.
void* reduced_subtree(const ReduceCall& call, const std::vector<Subtree>& children, const void* own,
                      void* reduced, void* arrived) {
    const void* value = own;
    for (const Subtree& child : children) {
        messages::receive(arrived, call.count, call.type, child.root, GatherTag::partial_result,
                          call.comm);
        // MPI_Reduce_local overwrites its right operand.
        if (child.first < call.rank) {
            call.copy(value, reduced);
            messages::reduce_local(arrived, reduced, call.count, call.type, call.op);
        } else {
            messages::reduce_local(value, arrived, call.count, call.type, call.op);
            std::swap(reduced, arrived);
        }
        value = reduced;
    }
    return reduced;
}

void reduce_to_parent(const ReduceCall& call, const GatherNode& node, const void* own) {
    const auto send = [&](const void* values) {
        messages::send(values, call.count, call.type, node.parent, GatherTag::partial_result,
                       call.comm);
    };
    if (node.children.empty()) return send(own);
    const ElementBuffer arrived(call.count, call.type);
    // A single child from the right is reduced where it arrives.
    const bool needs_second = node.children.size() > 1 || node.children[0].first < call.rank;
    const ElementBuffer second =
        needs_second ? ElementBuffer(call.count, call.type) : ElementBuffer();
    send(reduced_subtree(call, node.children, own, second.elements(), arrived.elements()));
}

void reduce_at_root(const ReduceCall& call, const GatherNode& node, const void* own,
                    void* recvbuf) {
    if (node.children.empty()) return call.copy(own, recvbuf);
    const ElementBuffer arrived(call.count, call.type);
    call.copy(reduced_subtree(call, node.children, own, recvbuf, arrived.elements()), recvbuf);
}

}  // namespace

int TUW_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               int root, MPI_Comm comm) {
    if (count == 0) return MPI_SUCCESS;
    ReduceCall call{count, datatype, op, 0, private_communicator(comm)};
    call.rank = messages::rank_in(comm);
    const int ranks = messages::size_of(comm);
    const GatherNode node = regular_ordered_node(call.rank, ranks, root, 1);
    if (call.rank == root)
        reduce_at_root(call, node, sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, recvbuf);
    else
        reduce_to_parent(call, node, sendbuf);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
