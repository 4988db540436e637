// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/algorithms.h"
#include "collectives/gather/gather.h"
#include "collectives/patterns/gather_trees.h"
#include "collectives/scatter/scatter.h"

namespace mpiaudit {

/// Returns the fastest gather tree to `root` among all trees in which every rank gathers blocks of
/// consecutive ranks, as in the ordered trees of Träff 2017. A message of m > 0 bytes takes the
/// time of `startup` + m bytes; empty messages are free. A rank sends when it has everything, and
/// receives one message at a time. Method: dynamic programming over intervals of ranks in O(p^3)
/// time and O(p^2) memory (J. L. Träff, "On Optimal Trees for Irregular Gather and Scatter
/// Collectives", TPDS 30(9), 2019, arXiv 1711.08731). Some cut divides i..j into i..k and k+1..j,
/// both halves are gathered, and one half sends to the other; the half with the root receives.
std::vector<GatherNode> optimal_gather_tree(std::span<const std::int64_t> block_sizes, int root,
                                            std::int64_t startup);

/// Startup of optimal_Gatherv and optimal_Scatterv in bytes: 1.6 microseconds at 10 GB/s.
inline constexpr std::int64_t startup_of_optimum = 16384;

namespace trees {
/// Returns this rank's node of the optimal tree, which the root finds in O(p^3) time and
/// broadcasts. This is too slow to use; compare other trees with it. Collective.
GatherNode optimal(const RootedCall& call);
}  // namespace trees
inline constexpr auto& optimal_Gatherv = bind_first<gatherv_by, up<trees::optimal>>;
inline constexpr auto& optimal_Scatterv = bind_first<scatterv_by, down<trees::optimal>>;

/// Returns the rows of these algorithms in the table of algorithms.
std::vector<Algorithm> optimal_tree_algorithms();

}  // namespace mpiaudit
