// SPDX-License-Identifier: BSD-3-Clause
#include "optimal_trees/optimal_tree.h"

#include <algorithm>

#include "collectives/patterns/trees.h"
#include "messages/scratch.h"

namespace mpiaudit {
namespace {

/// Least time to gather an interval of ranks, and its last cut.
struct Gathered {
    std::int64_t time = 0;
    int cut = -1;
};

/// The best cuts of all intervals of ranks. The constructor finds these cuts, those of short
/// intervals first.
class Intervals {
  public:
    Intervals(std::span<const std::int64_t> block_sizes, int root, std::int64_t startup)
        : ranks_{static_cast<int>(block_sizes.size())},
          root_{root},
          startup_{startup},
          before_(block_sizes.size() + 1),
          gathered_(block_sizes.size() * block_sizes.size()) {
        for (std::size_t i = 0; i < block_sizes.size(); ++i)
            before_[i + 1] = before_[i] + block_sizes[i];
        for (int length = 2; length <= ranks_; ++length)
            for (int first = 0; first + length <= ranks_; ++first) cut(first, first + length - 1);
    }

    std::vector<GatherNode> tree() const {
        std::vector<GatherNode> nodes(static_cast<std::size_t>(ranks_));
        const int root = build(0, ranks_ - 1, nodes);
        nodes[static_cast<std::size_t>(root)].own = subtree(root, 0, ranks_ - 1);
        return nodes;
    }

  private:
    Gathered& at(int first, int last) {
        return gathered_[static_cast<std::size_t>(first) * static_cast<std::size_t>(ranks_) +
                         static_cast<std::size_t>(last)];
    }
    const Gathered& at(int first, int last) const {
        return const_cast<Intervals*>(this)->at(first, last);
    }
    std::int64_t amount(int first, int last) const {
        return before_[static_cast<std::size_t>(last) + 1] -
               before_[static_cast<std::size_t>(first)];
    }
    /// Returns the time of a message with the blocks of an interval; 0 for no bytes.
    std::int64_t message_time(int first, int last) const {
        const std::int64_t bytes = amount(first, last);
        return bytes > 0 ? startup_ + bytes : 0;
    }
    /// Returns whether first..k sends and k + 1..last receives. The half without the root sends. If
    /// neither half has the root, the half with fewer bytes sends; if the bytes are equal, the
    /// upper half.
    bool lower_sends(int first, int k, int last) const {
        if (first <= root_ && root_ <= last) return root_ > k;
        return amount(first, k) < amount(k + 1, last);
    }

    /// Finds the best cut of an interval, whose parts are known.
    void cut(int first, int last) {
        Gathered best;
        for (int k = first; k < last; ++k) {
            const std::int64_t sent =
                lower_sends(first, k, last) ? message_time(first, k) : message_time(k + 1, last);
            const std::int64_t time = std::max(at(first, k).time, at(k + 1, last).time) + sent;
            if (best.cut < 0 || time < best.time) best = {time, k};
        }
        at(first, last) = best;
    }

    Subtree subtree(int root, int first, int last) const {
        return {root, first, last - first + 1, amount(first, last)};
    }

    /// Connects the nodes of an interval; returns the one that gathers it.
    int build(int first, int last, std::vector<GatherNode>& nodes) const {
        if (first == last) return first;
        const int k = at(first, last).cut;
        const int lower = build(first, k, nodes), upper = build(k + 1, last, nodes);
        const bool is_lower = lower_sends(first, k, last);
        const Subtree sent = is_lower ? subtree(lower, first, k) : subtree(upper, k + 1, last);
        const int receiver = is_lower ? upper : lower;
        GatherNode& sender = nodes[static_cast<std::size_t>(sent.root)];
        sender.own = sent;
        sender.parent = receiver;
        nodes[static_cast<std::size_t>(receiver)].children.push_back(sent);
        return receiver;
    }

    int ranks_;
    int root_;
    std::int64_t startup_;
    std::vector<std::int64_t> before_;  ///< bytes of all lower ranks
    std::vector<Gathered> gathered_;    ///< [first * ranks + last]
};

/// A rank of the tree, as the root broadcasts it.
struct Told {
    Subtree own;
    int parent;
    int arrival;  ///< index among the children of the parent
};

}  // namespace

std::vector<GatherNode> optimal_gather_tree(std::span<const std::int64_t> block_sizes, int root,
                                            std::int64_t startup) {
    return Intervals{block_sizes, root, startup}.tree();
}

std::vector<Algorithm> optimal_tree_algorithms() {
    return {{"optimal_Gatherv", "MPI_Gatherv",
             "blocks travel up the best ordered tree, which the root finds in O(p^3)", keeps_order,
             any(optimal_Gatherv)},
            {"optimal_Scatterv", "MPI_Scatterv", "blocks travel down the tree of optimal_Gatherv",
             keeps_order, any(optimal_Scatterv)}};
}

// Only the root knows all block sizes, so the root finds the tree and broadcasts 32 bytes per rank.
// Every rank then takes its own node from these bytes.
GatherNode trees::optimal(const RootedCall& call) {
    const OnControlData here;
    std::vector<Told> told(static_cast<std::size_t>(call.ranks.size));
    if (call.is_root()) {
        std::vector<std::int64_t> block_sizes;
        for (int rank = 0; rank < call.ranks.size; ++rank)
            block_sizes.push_back(call.blocks.bytes(rank));
        const auto tree = optimal_gather_tree(block_sizes, call.root(), startup_of_optimum);
        for (std::size_t rank = 0; rank < tree.size(); ++rank) {
            told[rank].own = tree[rank].own;
            told[rank].parent = tree[rank].parent;
            int arrival = 0;
            for (const Subtree& child : tree[rank].children)
                told[static_cast<std::size_t>(child.root)].arrival = arrival++;
        }
    }
    broadcast_along(knomial_tree<2>(call.ranks),
                    {told.data(), static_cast<int>(told.size() * sizeof(Told)), MPI_BYTE},
                    call.ranks);
    const Told& mine = told[static_cast<std::size_t>(call.ranks.rank)];
    GatherNode node{.own = mine.own, .parent = mine.parent, .children = {}};
    std::ranges::sort(told, {}, &Told::arrival);
    for (const Told& each : told)
        if (each.parent == call.ranks.rank) node.children.push_back(each.own);
    return node;
}

}  // namespace mpiaudit
