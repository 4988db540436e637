// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce/reduce.h"

#include <utility>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/call/limits.h"
#include "collectives/datatypes/layout.h"
#include "collectives/patterns/halving.h"
#include "collectives/patterns/ordered_tree.h"
#include "collectives/patterns/reduction.h"
#include "collectives/patterns/trees.h"

namespace mpiaudit {
namespace {

/// Gathers the parts of the survivors on the first survivor along a binomial tree.
void gather_parts(const Blocks& parts, const Fold& fold, const Ranks& ranks) {
    const int number = fold.number;
    for (int mask = 1; mask < fold.survivors; mask *= 2) {
        const bool is_sender = (number & mask) != 0;
        const TypedBuffer gathered = parts.message(is_sender ? number : number + mask, mask);
        const int rank = ranks.at(fold.position(number ^ mask));
        if (is_sender) return ranks.send(gathered, rank);
        ranks.receive(gathered, rank);
    }
}

}  // namespace

int reduce_by(VectorReduction reduce, const void* sendbuf, void* recvbuf, int count,
              MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
    const Reduction reduction{count, datatype, op};
    const void* input = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    const Ranks ranks{comm, reduction.is_commutative ? root : 0};
    if (ranks.first == root) {
        reduce(reduction, input, recvbuf, ranks);
        return MPI_SUCCESS;
    }
    const OperandBuffer detour = ranks.rank == 0 ? reduction.buffer() : OperandBuffer{};
    reduce(reduction, input, detour.get(), ranks);
    if (ranks.rank == 0) ranks.send(reduction.all_of(detour.get()), root);
    if (ranks.rank == root) ranks.receive(reduction.all_of(recvbuf), 0);
    return MPI_SUCCESS;
}

void reduce_by_binomial_tree(const Reduction& reduction, const void* input, void* output,
                             const Ranks& ranks) {
    reduce_along(knomial_tree<2>(ranks), reduction, input, output, ranks);
}

void reduce_by_knomial_tree(const Reduction& reduction, const void* input, void* output,
                            const Ranks& ranks) {
    reduce_along(knomial_tree<4>(ranks), reduction, input, output, ranks);
}

void reduce_by_bine_tree(const Reduction& reduction, const void* input, void* output,
                         const Ranks& ranks) {
    reduce_along(*bine_tree(ranks), reduction, input, output, ranks);
}

void reduce_by_halving_and_gather(FoldOf fold_of, const Reduction& reduction, const void* input,
                                  void* output, const Ranks& from_root) {
    // The root has position 0, or 1 if ranks are folded, so that it is the first survivor.
    const int size = from_root.size;
    const Ranks ranks = power_of_two_below(size) == size
                            ? from_root
                            : from_root.from((from_root.first - 1 + size) % size);
    const Fold fold = fold_of(ranks);
    if (fold.hands_over) return ranks.send(reduction.all_of(input), ranks.shifted(1));
    const bool is_root = fold.number == 0;
    const OperandBuffer own = is_root ? OperandBuffer{} : reduction.buffer();
    const OperandBuffer incoming = reduction.buffer();
    void* result = is_root ? output : own.get();
    reduction.move(input, result, ranks);
    if (fold.acts_for_two) take_over(reduction, result, incoming.get(), ranks);
    const Blocks parts = reduction.split(result, fold.survivors);
    reduce_by_halving(reduction, parts, incoming.get(), fold, ranks);
    gather_parts(parts, fold, ranks);
}

// Predefined operators are commutative.
void reduce_as_MPICH2004(const Reduction& reduction, const void* input, void* output,
                         const Ranks& ranks) {
    const bool is_long =
        reduction.count * type_bytes(reduction.type) > MPICH2004_limits::short_reduce;
    if (is_long && is_predefined(reduction.op))
        reduce_by_halving_and_gather(far_first, reduction, input, output, ranks);
    else
        reduce_by_binomial_tree(reduction, input, output, ranks);
}

// Combines from the last rank to the first, because the new operand must be the left one.
int linear_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  int root, MPI_Comm comm) {
    const Ranks ranks{comm};
    const Reduction reduction{count, datatype, op};
    if (ranks.rank != root) {
        ranks.send({sendbuf, count, datatype}, root);
        return MPI_SUCCESS;
    }
    const int last = ranks.size - 1;
    const OperandBuffer incoming = last > 0 ? reduction.buffer() : OperandBuffer{};
    OperandBuffer saved;
    const void* own = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
    if (sendbuf == MPI_IN_PLACE && root != last) {
        saved = reduction.buffer();
        reduction.copy(recvbuf, saved.get(), ranks);
        own = saved.get();
    }
    for (int source = last; source >= 0; --source) {
        void* target = source == last ? recvbuf : incoming.get();
        if (source != root)
            ranks.receive({target, count, datatype}, source);
        else if (source == last && own != recvbuf)
            reduction.copy(own, recvbuf, ranks);
        if (source != last) reduction.combine(source == root ? own : target, recvbuf);
    }
    return MPI_SUCCESS;
}

namespace {

/// Reduces a subtree in rank order: a child's ranks follow or precede those reduced so far, and so
/// its operands are combined on this side. Starts with this rank's values, `own`. Returns the
/// buffer with the result, one of the two.
void* reduced_subtree(const Reduction& reduction, const std::vector<Subtree>& children,
                      const void* own, void* reduced, void* arrived, const Ranks& ranks) {
    const void* value = own;
    for (const Subtree& child : children) {
        ranks.receive(reduction.all_of(arrived), child.root);
        // MPI leaves a result in the right operand only.
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
    // A single child on the right is reduced in the buffer in which it arrives.
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
