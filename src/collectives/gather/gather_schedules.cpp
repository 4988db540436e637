// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/gather_schedules.h"

#include "collectives/gather/direct_subtrees.h"
#include "collectives/gather/distributed_ordered_tree.h"
#include "collectives/gather/fixed_tree.h"
#include "collectives/gather/gather.h"

namespace mpiaudit::schedules {
namespace {

/// Blocks move up a tree; an empty subtree sends nothing.
void gather_over_tree(Trace& schedule, const GatherTree& tree) {
    for (int rank = 0; rank < schedule.ranks(); ++rank) {
        const GatherNode& node = tree[static_cast<std::size_t>(rank)];
        for (const Subtree& child : node.children)
            if (child.amount > 0) schedule.start_receive(rank, child.root);
        schedule.wait(rank);
        if (node.parent >= 0 && node.own.amount > 0)
            schedule.send(rank, node.parent, node.own.amount);
    }
}

Trace gather(const GatherTree& tree) {
    Trace schedule(static_cast<int>(tree.size()));
    gather_over_tree(schedule, tree);
    return schedule;
}

Trace fixed_gatherv(const CostProblem& problem, int radix) {
    const GatherTree tree = fixed_tree(problem, radix);
    Trace schedule(problem.ranks());
    tell_amounts(schedule, tree);
    gather_over_tree(schedule, tree);
    return schedule;
}

Trace ordered_gatherv(const CostProblem& problem, const OrderedTreeOptions& options = {}) {
    Trace schedule(problem.ranks());
    construct_ordered_tree(schedule, problem, options);
    gather_over_tree(schedule, ordered_tree(problem, options));
    return schedule;
}

/// The fixed roots of adjacent cubes exchange what they know and inform their gather roots.
void join_cubes(Trace& schedule, std::span<const OrderedCube> cubes, std::int64_t cube_bytes) {
    for (const OrderedCube& cube : cubes) {
        for (const OrderedCube& other : cubes) schedule.start_receive(cube.last, other.last);
        for (const OrderedCube& other : cubes)
            schedule.start_send(cube.last, other.last, cube_bytes);
        schedule.wait(cube.last);
        if (cube.gather_root != cube.last)
            schedule.message(cube.last, cube.gather_root,
                             static_cast<std::int64_t>(cubes.size()) * cube_bytes);
    }
}

/// Messages of a subtree of `ranks` blocks: whole blocks in segments, the last one shorter.
std::vector<int> segments_of(int ranks, int blocks_per_segment) {
    std::vector<int> segments;
    for (int done = 0; done < ranks; done += blocks_per_segment)
        segments.push_back(std::min(blocks_per_segment, ranks - done));
    return segments;
}

void forward_segments(Trace& schedule, int rank, const GatherNode& node, int blocks_per_segment,
                      std::int64_t block_bytes) {
    std::vector<int> blocks_after = {1};  // The own one, then those of every segment received.
    for (const Subtree& child : node.children) {
        for (const int blocks : segments_of(child.ranks, blocks_per_segment)) {
            schedule.start_receive(rank, child.root);
            blocks_after.push_back(blocks_after.back() + blocks);
        }
    }
    int needed = 0;
    for (const int blocks : segments_of(node.own.ranks, blocks_per_segment)) {
        if (node.parent < 0) break;
        needed += blocks;
        const auto enough = std::ranges::lower_bound(blocks_after, needed);
        for (int i = 0; i < enough - blocks_after.begin(); ++i) schedule.wait_for_receive(rank, i);
        schedule.start_send(rank, node.parent, blocks * block_bytes);
    }
    schedule.wait(rank);
}

}  // namespace

GatherTree linear_tree(const CostProblem& problem) {
    GatherTree tree;
    for (int rank = 0; rank < problem.ranks(); ++rank)
        tree.push_back({{rank, rank, 1, problem.bytes(rank)}, problem.root, {}});
    GatherNode& root = tree[static_cast<std::size_t>(problem.root)];
    root.parent = -1;
    for (const GatherNode& node : tree)
        if (node.own.root != problem.root) root.children.push_back(node.own);
    return tree;
}

GatherTree fixed_tree(const CostProblem& problem, int radix) {
    const BlockBytes blocks(problem.block_bytes());
    GatherTree tree;
    for (int rank = 0; rank < problem.ranks(); ++rank) {
        GatherNode node = mpiaudit::fixed_tree(rank, problem.root, problem.ranks(), radix);
        node.own.amount = blocks.of(node.own.first, node.own.ranks);
        for (Subtree& child : node.children) child.amount = blocks.of(child.first, child.ranks);
        tree.push_back(std::move(node));
    }
    return tree;
}

GatherTree ordered_tree(const CostProblem& problem, const OrderedTreeOptions& options) {
    return ordered_gather_tree(problem.block_bytes(), problem.root, options);
}

void tell_amounts(Trace& schedule, const GatherTree& tree) {
    const int root = root_of(tree);
    for (int rank = 0; rank < schedule.ranks(); ++rank) {
        if (rank == root) continue;
        const GatherNode& node = tree[static_cast<std::size_t>(rank)];
        for (const Subtree& child : node.children) schedule.start_receive(rank, child.root);
        schedule.wait(rank);
        if (node.parent != root) schedule.send(rank, node.parent, sizeof(Subtree::amount));
    }
}

void construct_ordered_tree(Trace& schedule, const CostProblem& problem,
                            const OrderedTreeOptions& options) {
    std::vector<OrderedCube> cubes;
    for (int rank = 0; rank < problem.ranks(); ++rank)
        cubes.push_back(single_rank(rank, problem.bytes(rank)));
    const auto radix = static_cast<std::size_t>(options.radix);
    while (cubes.size() > 1) {
        std::vector<OrderedCube> larger_cubes;
        for (std::size_t i = 0; i < cubes.size(); i += radix) {
            const auto adjacent = std::span(cubes).subspan(i, std::min(radix, cubes.size() - i));
            if (adjacent.size() > 1) join_cubes(schedule, adjacent, cube_message_bytes(options));
            larger_cubes.push_back(
                joined(adjacent, receiving_cube(adjacent, problem.root), problem.root, options));
        }
        cubes = std::move(larger_cubes);
    }
}

Trace linear_gather(const CostProblem& problem) {
    return gather(linear_tree(problem));
}

Trace binomial_gather(const CostProblem& problem) {
    return gather(fixed_tree(problem, 2));
}

Trace knomial_gather_radix4(const CostProblem& problem) {
    return gather(fixed_tree(problem, 4));
}

Trace TUW_gather(const CostProblem& problem) {
    return gather(ordered_tree(problem));
}

Trace segmented_binomial_gather(const CostProblem& problem) {
    Trace schedule(problem.ranks());
    const std::int64_t block_bytes = problem.bytes(0);
    if (block_bytes == 0) return schedule;
    const int blocks_per_segment = static_cast<int>(
        std::clamp<std::int64_t>(default_gather_segment_bytes / block_bytes, 1, problem.ranks()));
    const GatherTree tree = fixed_tree(problem, 2);
    for (int rank = 0; rank < problem.ranks(); ++rank)
        forward_segments(schedule, rank, tree[static_cast<std::size_t>(rank)], blocks_per_segment,
                         block_bytes);
    return schedule;
}

Trace binomial_gatherv(const CostProblem& problem) {
    return fixed_gatherv(problem, 2);
}

Trace knomial_gatherv_radix4(const CostProblem& problem) {
    return fixed_gatherv(problem, 4);
}

Trace TUW_gatherv(const CostProblem& problem) {
    return ordered_gatherv(problem);
}

Trace TUW_gatherv_k2(const CostProblem& problem) {
    return ordered_gatherv(problem, {.radix = 3});
}

Trace TUW_gatherv_k3(const CostProblem& problem) {
    return ordered_gatherv(problem, {.radix = 4});
}

Trace TUW_gatherv_degrading(const CostProblem& problem) {
    const OrderedTreeOptions options{.threshold = default_degrading_threshold_bytes};
    Trace schedule(problem.ranks());
    construct_ordered_tree(schedule, problem, options);
    GatherTree tree = ordered_tree(problem, options);
    std::vector<Subtree> direct;
    for (const GatherNode& node : tree) {
        if (!node.is_direct) continue;
        direct.push_back(node.own);
        schedule.send(node.own.root, problem.root, direct_announcement_bytes);
        schedule.start_receive(problem.root, node.own.root);
    }
    schedule.wait(problem.root);
    GatherNode& root = tree[static_cast<std::size_t>(problem.root)];
    root.children.insert(root.children.end(), direct.begin(), direct.end());
    gather_over_tree(schedule, tree);
    return schedule;
}

}  // namespace mpiaudit::schedules
