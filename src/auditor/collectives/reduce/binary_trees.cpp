// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <span>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/call/copy.h"
#include "collectives/call/limits.h"
#include "collectives/patterns/reduction.h"
#include "collectives/patterns/trees.h"
#include "collectives/reduce/reduce.h"

namespace mpiaudit {
namespace {

/// What a rank does in trees that reduce segment by segment.
class TreeReduction {
  public:
    TreeReduction(const Reduction& reduction, const Blocks& own, void* output, const Ranks& ranks)
        : reduction_{reduction}, own_{own}, output_{output}, ranks_{ranks} {}

    void start_receives(int segment, const TreePlace& tree) {
        // From the left and from the right child.
        for (const std::size_t side : {0U, 1U}) {
            const int child = side == 0 ? tree.left : tree.right;
            if (child < 0) continue;
            Side& from = sides_[side];
            if (from.numbers.empty()) {
                from.incoming = reduction_.buffer();
                from.numbers.resize(static_cast<std::size_t>(own_.size()));
            }
            from.numbers[static_cast<std::size_t>(segment)] = started_++;
            const TypedBuffer into = at(side, segment);
            ranks_.start_receive(receives_, into, ranks_.at(child));
        }
    }

    void pass_on(int segment, const TreePlace& tree) {
        const void* result = combined(segment, tree);
        const int count = own_.count(segment);
        if (tree.has_parent())
            ranks_.start_send(sends_, {result, count, own_.type()}, ranks_.at(tree.parent));
        else if (result != displaced_output(segment))
            copy_to_oneself({result, count, own_.type()}, own_.in(output_).message(segment),
                            ranks_);
    }

    void wait_for_sends() { sends_.wait_for_all(); }

  private:
    struct Side {
        OperandBuffer incoming;
        std::vector<std::size_t> numbers;  ///< of the receives of the segments
    };

    TypedBuffer at(std::size_t side, int segment) const {
        return own_.in(sides_[side].incoming.get()).message(segment);
    }
    const void* displaced_output(int segment) const { return own_.in(output_).at(segment); }

    /// The operands of the subtree, in their order.
    const void* combined(int segment, const TreePlace& tree) {
        const void* own = own_.at(segment);
        if (tree.is_leaf()) return own;
        const auto arrived = [&](std::size_t side) {
            receives_.wait(sides_[side].numbers[static_cast<std::size_t>(segment)]);
            return at(side, segment);
        };
        if (tree.right < 0) {
            const TypedBuffer left = arrived(0);
            reduction_.combine(own, left);
            return left.address;
        }
        const TypedBuffer right = arrived(1);
        if (tree.left >= 0) reduction_.combine(arrived(0).address, right);
        reduction_.combine(own, right);
        return right.address;
    }

    const Reduction& reduction_;
    const Blocks& own_;
    void* output_;
    const Ranks& ranks_;
    std::array<Side, 2> sides_;
    messages::Requests receives_, sends_;
    std::size_t started_ = 0;
};

/// Equally many segments go up each tree, those of the first tree are the first ones, and are
/// combined on their way, a rank's own operands before those of its subtrees; the root, position 0,
/// has them in `output` in the end, which may be its `own` ones. A rank has children in one of the
/// trees, position 0 may have some in all.
void reduce_up(std::span<const TreePlace> trees, const Reduction& reduction, const Blocks& own,
               void* output, const Ranks& ranks) {
    const int n_trees = static_cast<int>(trees.size());
    const int n = own.size() / n_trees;
    TreeReduction here{reduction, own, output, ranks};
    const auto for_each_tree = [&](int i, bool of_leaves, auto what) {
        for (int tree = 0; tree < n_trees; ++tree)
            if (trees[static_cast<std::size_t>(tree)].is_leaf() == of_leaves)
                what(tree * n + i, trees[static_cast<std::size_t>(tree)]);
    };
    for (int i = 0; i < n; ++i)
        for_each_tree(i, false, [&](int segment, const TreePlace& tree) {
            here.start_receives(segment, tree);
        });
    // What nothing has to come for goes first.
    const auto pass_on = [&](int segment, const TreePlace& tree) {
        if (tree.has_parent() || ranks.position == 0) here.pass_on(segment, tree);
    };
    for (int i = 0; i < n; ++i) {
        for_each_tree(i, true, pass_on);
        for_each_tree(i, false, pass_on);
    }
    here.wait_for_sends();
}

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
    ranks.exchange(given, partner, into, partner);
    reduction.combine(own.message(kept, n).address, into);
    return incoming;
}

}  // namespace

void reduce_by_binary_tree(const Reduction& reduction, const void* input, void* output,
                           const Ranks& ranks) {
    const int n = pipeline_segments(reduction.all_of(input), preorder_height(ranks.size));
    reduce_up(std::array{preorder_tree(ranks.position, ranks.size)}, reduction,
              reduction.split(input, n), output, ranks);
}

void reduce_by_split_binary_trees(const Reduction& reduction, const void* input, void* output,
                                  const Ranks& ranks) {
    const int n = half_vector_segments(reduction.all_of(input), preorder_height(ranks.size / 2));
    const Blocks own = reduction.split(input, 2 * n);
    const OperandBuffer buffer = ranks.position > 0 ? reduction.buffer() : OperandBuffer{};
    const Blocks halves = take_halves_from_neighbours(reduction, own, buffer, ranks);
    reduce_up(split_trees(ranks.position, ranks.size), reduction, halves, output, ranks);
}

}  // namespace mpiaudit
