// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/call/binary_trees.h"
#include "collectives/call/blocks.h"
#include "collectives/call/copy.h"
#include "collectives/call/segments.h"
#include "collectives/call/tags.h"
#include "collectives/call/two_trees.h"
#include "collectives/reduce/reduce.h"
#include "collectives/reduce/reduction.h"
#include "messages/messages.h"

namespace mpiaudit {
namespace {

/// What a position does in the rounds of two_tree_Bcast backwards.
class TwoTreeReduction {
  public:
    TwoTreeReduction(const Reduction& reduction, const Blocks& own, const TwoTrees& trees)
        : reduction_{reduction}, own_{own}, n_{own.size() / 2} {
        for (const TwoTrees::Edge& edge : trees.outgoing()) {
            OperandBuffer& buffer = edge.is_left ? left_ : right_;
            if (buffer.get() == nullptr) buffer = reduction.buffer();
            (edge.is_left ? has_left_ : has_right_)[static_cast<std::size_t>(edge.tree)] = true;
        }
    }

    TypedBuffer from_child(const TwoTrees::Message& message) const {
        return own_.in((message.edge->is_left ? left_ : right_).get())
            .message(message.edge->tree * n_ + message.segment);
    }

    /// A segment of a subtree, when all has come from the children.
    TypedBuffer combined(int tree, int segment, const Ranks& ranks) {
        const int block = tree * n_ + segment;
        const bool has_left = has_left_[static_cast<std::size_t>(tree)];
        const TypedBuffer left = own_.in(left_.get()).message(block);
        if (has_right_[static_cast<std::size_t>(tree)]) {
            TypedBuffer right = own_.in(right_.get()).message(block);
            reduction_.combine(own_.at(block), right);
            if (has_left) reduction_.combine(left.address, right);
            return right;
        }
        if (!has_left) return own_.message(block);
        if (reduction_.is_commutative) {
            reduction_.combine(own_.at(block), left);
            return own_.in(left_.get()).message(block);
        }
        // A result is where the last operand was.
        if (right_.get() == nullptr) right_ = reduction_.buffer();
        TypedBuffer result = own_.in(right_.get()).message(block);
        copy_to_oneself(own_.message(block), result, ranks);
        reduction_.combine(left.address, result);
        return result;
    }

  private:
    const Reduction& reduction_;
    const Blocks& own_;
    int n_;
    OperandBuffer left_, right_;  ///< what comes from children
    std::array<bool, 2> has_left_ = {}, has_right_ = {};
};

void reduce_in_two_trees(const Reduction& reduction, const void* input, void* output,
                         const Ranks& ranks) {
    const auto split = [&](int blocks) {
        return Blocks::split(input, reduction.count, reduction.type, blocks);
    };
    const int n =
        half_vector_segments(split(1).bytes(0), reduction.count, preorder_height(ranks.size));
    const Blocks own = split(2 * n);
    const std::shared_ptr<const TwoTrees> trees = two_trees_of(ranks);
    TwoTreeReduction here{reduction, own, *trees};
    for (int round = trees->rounds(n) - 1; round >= 0; --round) {
        const auto taken = TwoTrees::message(trees->outgoing(), round, n);
        const auto given = TwoTrees::message(trees->incoming(), round, n);
        const TypedBuffer received = taken ? here.from_child(*taken) : TypedBuffer{};
        const TypedBuffer sent =
            given ? here.combined(given->edge->tree, given->segment, ranks) : TypedBuffer{};
        const int from = taken ? ranks.at(taken->edge->other) : MPI_PROC_NULL;
        const int to = given ? ranks.at(given->edge->other) : MPI_PROC_NULL;
        if (taken && given)
            messages::exchange(sent.address, sent.count, own.type(), to, Tag::data,
                               received.address, received.count, own.type(), from, Tag::data,
                               ranks.comm);
        else if (taken)
            messages::receive(received.address, received.count, own.type(), from, Tag::data,
                              ranks.comm);
        else if (given)
            messages::send(sent.address, sent.count, own.type(), to, Tag::data, ranks.comm);
    }
    if (ranks.position > 0) return;
    for (const int tree : {0, 1})
        for (int segment = 0; segment < n; ++segment) {
            const TypedBuffer result = here.combined(tree, segment, ranks);
            const TypedBuffer place = own.in(output).message(tree * n + segment);
            if (result.address != place.address) copy_to_oneself(result, place, ranks);
        }
}

}  // namespace

int two_tree_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    int root, MPI_Comm comm) {
    return reduce_in_order_of_ranks(reduce_in_two_trees, sendbuf, recvbuf, {count, datatype, op},
                                    root, comm);
}

}  // namespace mpiaudit
