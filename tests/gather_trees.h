// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "collectives/patterns/ordered_tree.h"
#include "trace/trace.h"

// Whole gather trees and when they are done, for comparisons: a rank that gathers knows its own
// node alone.
namespace mpiaudit {

inline constexpr int no_given_root = -1;

/// The whole tree, one node per rank, to the given root or, with `no_given_root`, to the root that
/// Lemma 1 chooses.
inline std::vector<GatherNode> ordered_gather_tree(std::span<const std::int64_t> block_sizes,
                                                   int given_root,
                                                   const OrderedTreeOptions& options = {}) {
    std::vector<GatherNode> tree(block_sizes.size());
    std::vector<OrderedCube> cubes;
    for (const std::int64_t block_size : block_sizes)
        cubes.push_back(single_rank(static_cast<int>(cubes.size()), block_size));
    tree[0].own = {0, 0, 1, block_sizes.front()};
    const auto radix = static_cast<std::size_t>(options.radix);
    while (cubes.size() > 1) {
        std::vector<OrderedCube> larger_cubes;
        for (std::size_t i = 0; i < cubes.size(); i += radix) {
            const auto neighbours = std::span(cubes).subspan(i, std::min(radix, cubes.size() - i));
            const std::size_t receiver = receiving_cube(neighbours, given_root);
            for (std::size_t mine = 0; mine < neighbours.size(); ++mine)
                grow(tree[neighbours[mine].gather_root], neighbours, mine, receiver, given_root,
                     options);
            larger_cubes.push_back(joined(neighbours, receiver, given_root, options));
        }
        cubes = std::move(larger_cubes);
    }
    return tree;
}

/// The rank without parent.
inline int root_of(std::span<const GatherNode> tree) {
    const auto root = std::ranges::find(tree, -1, &GatherNode::parent);
    return static_cast<int>(root - tree.begin());
}

/// Recursion is as deep as the tree, that is logarithmic.
inline double time_ready(std::span<const GatherNode> tree, int rank, LinearModel model) {
    double time = 0;
    for (const Subtree& child : tree[rank].children) {
        if (child.amount == 0) continue;
        const double arrival = std::max(time, time_ready(tree, child.root, model));
        time = arrival + model.alpha + model.beta * static_cast<double>(child.amount);
    }
    return time;
}

/// When the root of the tree has all blocks. A rank sends when it has everything and receives from
/// its children in the order of the rounds; an empty subtree sends no message.
inline double gather_cost(std::span<const GatherNode> tree, LinearModel model) {
    return time_ready(tree, root_of(tree), model);
}

// With several ports a rank receives what up to `ports` ranks have at the same time, from when all
// of these and itself have everything until the longest message ends.

/// PartsOfInterval of an interval, of which one receives what the others have.
struct PartsOfInterval {
    std::int64_t time = 0;              ///< when all are gathered
    std::int64_t most = 0, second = 0;  ///< the largest amounts of those without the root
    int count = 0;

    PartsOfInterval with(std::int64_t gathered, std::int64_t amount, bool has_root) const {
        PartsOfInterval all{std::max(time, gathered), most, second, count + 1};
        if (has_root) return all;
        all.second = std::max(second, std::min(most, amount));
        all.most = std::max(most, amount);
        return all;
    }
};

class PortedIntervals {
  public:
    PortedIntervals(std::span<const std::int64_t> block_sizes, int root, std::int64_t startup)
        : ranks_{block_sizes.size()},
          root_{static_cast<std::size_t>(root)},
          startup_{startup},
          before_(ranks_ + 1),
          times_(ranks_ * ranks_) {
        for (std::size_t i = 0; i < ranks_; ++i) before_[i + 1] = before_[i] + block_sizes[i];
    }

    std::int64_t gather(int ports) {
        for (std::size_t length = 2; length <= ranks_; ++length)
            for (std::size_t first = 0; first + length <= ranks_; ++first) {
                best_ = std::numeric_limits<std::int64_t>::max();
                has_root_ = first <= root_ && root_ < first + length;
                cut(first, first + length - 1, ports + 1, {});
                time(first, first + length - 1) = best_;
            }
        return time(0, ranks_ - 1);
    }

  private:
    std::int64_t& time(std::size_t first, std::size_t last) {
        return times_[first * ranks_ + last];
    }
    /// Tries all cuts of first..last into that many parts, or fewer, after some before it.
    void cut(std::size_t first, std::size_t last, int parts, const PartsOfInterval& before) {
        const auto with = [&](std::size_t end) {
            return before.with(time(first, end), before_[end + 1] - before_[first],
                               first <= root_ && root_ <= end);
        };
        if (before.count > 0) best_ = std::min(best_, cost(with(last)));
        if (parts == 1) return;
        for (std::size_t end = first; end < last; ++end) {
            const PartsOfInterval some = with(end);
            if (cost(some) < best_) cut(end + 1, last, parts - 1, some);
        }
    }
    /// Of more parts it is never less.
    std::int64_t cost(const PartsOfInterval& parts) const {
        const std::int64_t sent = has_root_ ? parts.most : parts.second;
        return parts.time + (sent > 0 ? startup_ + sent : 0);
    }

    std::size_t ranks_, root_;
    std::int64_t startup_;
    std::vector<std::int64_t> before_;  ///< the bytes of all ranks before this one
    std::vector<std::int64_t> times_;   ///< by first and last rank
    std::int64_t best_ = 0;             ///< of the interval that is being cut
    bool has_root_ = false;
};

/// When the root has all blocks at best: of each interval the best cut into up to ports + 1 parts,
/// of which the root's or else the largest receives; in O(p^(ports + 2)) time.
inline std::int64_t optimal_completion_time(std::span<const std::int64_t> block_sizes, int root,
                                            std::int64_t startup, int ports) {
    return PortedIntervals{block_sizes, root, startup}.gather(ports);
}

/// The same of the ordered tree in which ports + 1 cubes join at a time (Träff 2017, remark after
/// Theorem 1).
inline std::int64_t ordered_completion_time(std::span<const std::int64_t> block_sizes, int root,
                                            std::int64_t startup, int ports) {
    std::vector<OrderedCube> cubes;
    std::vector<std::int64_t> times(block_sizes.size(), 0);
    for (const std::int64_t block_size : block_sizes)
        cubes.push_back(single_rank(static_cast<int>(cubes.size()), block_size));
    const std::size_t radix = static_cast<std::size_t>(ports) + 1;
    while (cubes.size() > 1) {
        std::vector<OrderedCube> larger;
        for (std::size_t i = 0; i < cubes.size(); i += radix) {
            const auto neighbours = std::span(cubes).subspan(i, std::min(radix, cubes.size() - i));
            const std::size_t receiver = receiving_cube(neighbours, root);
            std::int64_t time = 0, sent = 0;
            for (std::size_t k = 0; k < neighbours.size(); ++k) {
                time = std::max(time, times[i + k]);
                if (k != receiver) sent = std::max(sent, neighbours[k].amount());
            }
            times[larger.size()] = time + (sent > 0 ? startup + sent : 0);
            larger.push_back(joined(neighbours, receiver, root, {}));
        }
        cubes = std::move(larger);
    }
    return times.front();
}

}  // namespace mpiaudit
