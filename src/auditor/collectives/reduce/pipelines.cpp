// SPDX-License-Identifier: BSD-3-Clause
// Declared in collectives/reduce/reduce.h.
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "collectives/call/blocks.h"
#include "collectives/call/limits.h"
#include "collectives/patterns/circulant.h"
#include "collectives/patterns/reduction.h"
#include "collectives/patterns/trees.h"
#include "collectives/reduce/reduce.h"

namespace mpiaudit {
namespace {

/// A rank in the chain that ends at position 0; operands of later positions are combined to the
/// right of its own.
class Link {
  public:
    Link(const Reduction& reduction, const void* input, const Ranks& ranks)
        : reduction_{reduction},
          ranks_{ranks},
          n_{pipeline_segments(reduction.all_of(input), std::max(ranks.size - 2, 0))},
          own_{reduction.split(input, n_)} {
        if (ranks.position + 1 < ranks.size)
            for (OperandBuffer& each : incoming_)
                each = OperandBuffer{own_.count(0), reduction.type};
    }

    /// Runs at the end of the chain; `output` may be the input.
    void receive_all(void* output) {
        if (ranks_.size == 1)
            return copy_locally(own_.message(0, n_), own_.with_buffer(output).message(0, n_),
                                ranks_);
        for (int segment = 0; segment < n_; ++segment) {
            ranks_.receive(came(segment), ranks_.shifted(1));
            take_in(segment);
            copy_locally(came(segment), own_.with_buffer(output).message(segment), ranks_);
        }
    }
    /// Runs at the begin of the chain.
    void send_all() {
        for (int segment = 0; segment < n_; ++segment)
            ranks_.send(own_.message(segment), ranks_.shifted(-1));
    }
    /// Runs on all other ranks.
    void pass_on() {
        const int behind = ranks_.shifted(1);
        ranks_.receive(came(0), behind);
        take_in(0);
        for (int segment = 1; segment < n_; ++segment) {
            ranks_.exchange(came(segment - 1), ranks_.shifted(-1), came(segment), behind);
            take_in(segment);
        }
        ranks_.send(came(n_ - 1), ranks_.shifted(-1));
    }

  private:
    /// Returns a received segment, later combined with this rank's operands.
    TypedBuffer came(int segment) const {
        return {incoming_[static_cast<std::size_t>(segment % 2)].get(), own_.count(segment),
                own_.type()};
    }
    void take_in(int segment) const { reduction_.combine(own_.at(segment), came(segment)); }

    const Reduction& reduction_;
    const Ranks& ranks_;
    int n_;
    Blocks own_;
    std::array<OperandBuffer, 2> incoming_;  ///< one for receiving, one for sending
};

}  // namespace

void reduce_along_chain(const Reduction& reduction, const void* input, void* output,
                        const Ranks& ranks) {
    Link link{reduction, input, ranks};
    if (ranks.position == 0)
        link.receive_all(output);
    else if (ranks.position + 1 == ranks.size)
        link.send_all();
    else
        link.pass_on();
}

// Reverses the broadcast: a rank that receives a block there sends its part of the reduction here.
// A rank receives a block once and before passing it on, so here all other parts have arrived
// before.
void reduce_in_circulant_rounds(const Reduction& reduction, const void* input, void* output,
                                const Ranks& ranks) {
    const bool is_root = ranks.position == 0;
    const OperandBuffer own = is_root ? OperandBuffer{} : reduction.buffer();
    void* result = is_root ? output : own.get();
    reduction.move(input, result, ranks);
    const int n = circulant_blocks(reduction.all_of(result), ranks);
    const Blocks blocks = reduction.split(result, n);
    const OperandBuffer incoming{blocks.count(0), reduction.type};
    const CirculantBroadcast broadcast{ranks, n};
    for (int round = broadcast.rounds() - 1; round >= 0; --round) {
        const auto taken = broadcast.sent(round), given = broadcast.received(round);
        const TypedBuffer sent = given.is_there() ? blocks.message(given.block) : TypedBuffer{};
        const int count = taken.is_there() ? blocks.count(taken.block) : 0;
        ranks.exchange(sent, given.rank, {incoming.get(), count, reduction.type}, taken.rank);
        if (taken.is_there()) reduction.combine(incoming.get(), blocks.message(taken.block));
    }
}

namespace {

/// The part of one rank in trees that reduce segment by segment.
class TreeReduction {
  public:
    TreeReduction(const Reduction& reduction, const Blocks& own, void* output, const Ranks& ranks)
        : reduction_{reduction}, own_{own}, output_{output}, ranks_{ranks} {}

    void start_receives(int segment, const TreePlace& tree) {
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
            copy_locally({result, count, own_.type()}, own_.with_buffer(output_).message(segment),
                         ranks_);
    }

    void wait_for_sends() { sends_.wait_for_all(); }

  private:
    struct Side {
        OperandBuffer incoming;
        std::vector<std::size_t> numbers;  ///< numbers of the segments' receives
    };

    TypedBuffer at(std::size_t side, int segment) const {
        return own_.with_buffer(sides_[side].incoming.get()).message(segment);
    }
    const void* displaced_output(int segment) const {
        return own_.with_buffer(output_).at(segment);
    }

    /// Returns the combined operands of the subtree, in order.
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

/// Sends an equal number of segments up each tree, first those of the first tree, and combines
/// them, a rank's own operands before those of its subtrees. The root, position 0, gets the results
/// in `output`, which may be `own`. A rank has children in at most one tree, position 0 possibly in
/// all.
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
    // Leaves send first.
    const auto pass_on = [&](int segment, const TreePlace& tree) {
        if (tree.has_parent() || ranks.position == 0) here.pass_on(segment, tree);
    };
    for (int i = 0; i < n; ++i) {
        for_each_tree(i, true, pass_on);
        for_each_tree(i, false, pass_on);
    }
    here.wait_for_sends();
}

/// Does the first step of split_binary_Bcast reversed: neighbours exchange the halves that belong
/// to the other's tree. Returns the place of this rank's operands afterwards.
Blocks take_halves_from_neighbours(const Reduction& reduction, const Blocks& own,
                                   const OperandBuffer& buffer, const Ranks& ranks) {
    const bool has_both = ranks.size % 2 == 0 && ranks.position == ranks.size - 1;
    if (ranks.position == 0 || has_both) return own;
    const int n = own.size() / 2;
    const Blocks incoming = own.with_buffer(buffer.get());
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
