// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "collectives/patterns/ordered_tree.h"
#include "tests/gather_trees.h"

namespace mpiaudit {

/// Smallest D with radix^D >= ranks.
inline int gather_rounds(int ranks, int radix = 2) {
    int count = 0;
    for (std::int64_t reached = 1; reached < ranks; reached *= radix) ++count;
    return count;
}

/// The bound of Theorem 1 without the construction of the tree:
///     ceil(log2 p) alpha + beta sum_{i != r} m_i + beta max(0, penalty),
/// where the penalty of Lemma 2 is the largest of M_d - m_{r_d} - sum_{j < d} M_j over the cubes
/// H_d whose data a given root r receives. With the root of Lemma 1 there is none.
inline double gather_cost_bound(std::span<const GatherNode> tree,
                                std::span<const std::int64_t> block_sizes, bool is_root_given,
                                LinearModel model) {
    const int root = root_of(tree);
    std::int64_t penalty = 0, received = 0;
    for (const Subtree& cube : tree[root].children) {
        const std::int64_t gather_time = cube.amount - block_sizes[cube.root];
        penalty = std::max(penalty, gather_time - received);
        received += cube.amount;
    }
    if (!is_root_given) penalty = 0;
    return gather_rounds(static_cast<int>(tree.size())) * model.alpha +
           model.beta * static_cast<double>(received + penalty);
}

/// The longest chain of dependent messages when the tree with radix 2 is constructed as in Lemma 3
/// (fixed roots exchange, then inform gather roots); at most 2 ceil(log2 p) - 1.
inline int construction_steps(std::span<const std::int64_t> block_sizes, int given_root) {
    std::vector<OrderedCube> cubes;
    for (const std::int64_t block_size : block_sizes)
        cubes.push_back(single_rank(static_cast<int>(cubes.size()), block_size));
    std::vector<int> steps(block_sizes.size(), 0);
    while (cubes.size() > 1) {
        std::vector<OrderedCube> larger_cubes;
        for (std::size_t i = 0; i < cubes.size(); i += 2) {
            const auto pair =
                std::span(cubes).subspan(i, std::min<std::size_t>(2, cubes.size() - i));
            larger_cubes.push_back(joined(pair, receiving_cube(pair, given_root), given_root, {}));
            if (pair.size() == 1) continue;
            const int exchanged = std::max(steps[pair[0].last], steps[pair[1].last]) + 1;
            for (const OrderedCube& cube : pair) {
                steps[cube.last] = exchanged;
                if (cube.gather_root == cube.last) continue;
                steps[cube.last] = exchanged + 1;
                steps[cube.gather_root] = std::max(steps[cube.gather_root], exchanged) + 1;
            }
        }
        cubes = std::move(larger_cubes);
    }
    return *std::ranges::max_element(steps);
}

}  // namespace mpiaudit
