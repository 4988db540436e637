// SPDX-License-Identifier: BSD-3-Clause
// Declared in collectives/allreduce/allreduce.h.
#include "collectives/allreduce/allreduce.h"
#include "collectives/call/blocks.h"
#include "collectives/call/limits.h"
#include "collectives/patterns/reduction.h"
#include "collectives/patterns/trees.h"

namespace mpiaudit {
namespace {

/// A rank in one of the two trees. Each tree covers one half of the ranks; a subtree has
/// consecutive ranks and ends with its root, so the operands of a subtree precede its root's.
class DualRootPlace {
  public:
    DualRootPlace(const Reduction& reduction, void* vector, int segments, const Ranks& ranks)
        : reduction_{reduction},
          ranks_{ranks},
          vector_{reduction.split(vector, segments)},
          incoming_{vector_.count(0), reduction.type} {
        const int half = ranks.size / 2;
        is_lower_ = ranks.rank < half;
        const int first = is_lower_ ? 0 : half, size = is_lower_ ? half : ranks.size - half;
        last_ = first + size - 1;
        tree_ = preorder_tree(last_ - ranks.rank, size);
    }

    void run_rounds() {
        const int n = vector_.size();
        for (int round = 0; round <= n + tree_.depth; ++round) {
            for (const int child : {tree_.left, tree_.right})
                if (child >= 0) exchange_with_child(last_ - child, round);
            if (tree_.has_parent())
                swap(last_ - tree_.parent, round, round - tree_.depth, false);
            else
                exchange_with_other_root(is_lower_ ? ranks_.size - 1 : ranks_.size / 2 - 1, round);
        }
    }

  private:
    bool is_there(int segment) const { return 0 <= segment && segment < vector_.size(); }

    /// Sends one segment and receives another one, into the vector or into the buffer to be
    /// combined. Returns false if no segment is received.
    bool swap(int other, int given, int taken, bool into_buffer) {
        const auto data = [&](int segment) {
            return is_there(segment) ? vector_.message(segment) : TypedBuffer{};
        };
        TypedBuffer to = data(taken);
        if (into_buffer) to.address = incoming_.get();
        ranks_.exchange(data(given), is_there(given) ? other : MPI_PROC_NULL, to,
                        is_there(taken) ? other : MPI_PROC_NULL);
        return is_there(taken);
    }

    /// Sends the latest result to a child and adds the sum of its subtree.
    void exchange_with_child(int child, int round) {
        if (swap(child, round - tree_.depth - 1, round, true))
            reduction_.combine(incoming_.get(), vector_.message(round));
    }

    void exchange_with_other_root(int other, int round) {
        if (!swap(other, round, round, true)) return;
        if (!is_lower_ || reduction_.is_commutative)
            return reduction_.combine(incoming_.get(), vector_.message(round));
        const TypedBuffer result{incoming_.get(), vector_.count(round), vector_.type()};
        reduction_.combine(vector_.at(round), result);
        copy_locally(result, vector_.message(round), ranks_);
    }

    const Reduction& reduction_;
    const Ranks& ranks_;
    Blocks vector_;
    OperandBuffer incoming_;
    bool is_lower_ = false;
    int last_ = 0;  ///< root of this rank's tree, at position 0
    TreePlace tree_;
};

}  // namespace

void allreduce_with_two_roots(const Reduction& reduction, const void* input, void* output,
                              const Ranks& ranks) {
    reduction.move(input, output, ranks);
    if (ranks.size == 1) return;
    // Rounds of three exchanges until the first segment has gone up and down.
    const int filling = 2 * preorder_height(ranks.size - ranks.size / 2);
    const int segments = pipeline_segments(reduction.all_of(output), std::max(filling, 1));
    DualRootPlace{reduction, output, segments, ranks}.run_rounds();
}

}  // namespace mpiaudit
