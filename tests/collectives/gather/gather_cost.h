// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "bench/gather_trees.h"

namespace mpiaudit {

/// Smallest D with radix^D >= ranks.
int gather_rounds(int ranks, int radix = 2);

/// The bound of Theorem 1 without the construction of the tree:
///     ceil(log2 p) alpha + beta sum_{i != r} m_i + beta max(0, penalty),
/// where the penalty of Lemma 2 is the largest of M_d - m_{r_d} - sum_{j < d} M_j over the cubes
/// H_d whose data a given root r receives. With the root of Lemma 1 there is none.
double gather_cost_bound(std::span<const GatherNode> tree,
                         std::span<const std::int64_t> block_sizes, bool is_root_given,
                         LinearModel model);

/// The longest chain of dependent messages when the tree with radix 2 is constructed as in Lemma 3
/// (fixed roots exchange, then inform gather roots); at most 2 ceil(log2 p) - 1.
int construction_steps(std::span<const std::int64_t> block_sizes, int given_root);

}  // namespace mpiaudit
