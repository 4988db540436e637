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

/// The gather tree to a given root that is done first, among all in which the blocks that a rank
/// has are always those of consecutive ranks, as they are in the ordered trees of Träff 2017. A
/// rank receives one message at a time, from when its sender has everything; a message of m > 0
/// bytes takes `startup` + m, none is sent without data. By dynamic programming over intervals of
/// ranks, in O(p^3) time and O(p^2) memory (J. L. Träff, "On Optimal Trees for Irregular Gather and
/// Scatter Collectives", TPDS 30(9), 2019, arXiv 1711.08731): what gathers i..j is the better half
/// of some cut into i..k and k+1..j, when both are done, after it has received the other half;
/// which one sends is free, but that the root's does not.
std::vector<GatherNode> optimal_gather_tree(std::span<const std::int64_t> block_sizes, int root,
                                            std::int64_t startup);

/// Of optimal_Gatherv and optimal_Scatterv: 1.6 microseconds at 10 GB/s.
inline constexpr std::int64_t startup_of_optimum = 16384;

namespace trees {
/// That tree: the root needs O(p^3) time to find it and tells it to all, so that it is a measure of
/// others and no way to gather.
GatherNode optimal(const RootedCall& call);
}  // namespace trees
inline constexpr auto& optimal_Gatherv = bind_first<gatherv_by, up<trees::optimal>>;
inline constexpr auto& optimal_Scatterv = bind_first<scatterv_by, down<trees::optimal>>;

/// Their rows in the table of algorithms.
std::vector<Algorithm> optimal_tree_algorithms();

}  // namespace mpiaudit
