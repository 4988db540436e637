// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "../call/bind_first.h"

namespace mpiaudit {

struct RootedCall;
struct GatherNode;

/// Moves the blocks of a gather or scatter as far as they concern this rank.
using RootedMove = void(const RootedCall& call);
/// Returns this rank's node of the tree along which blocks move.
using TreeOf = GatherNode (*)(const RootedCall&);
void gather_along(TreeOf tree, const RootedCall& call);
void scatter_along(TreeOf tree, const RootedCall& call);
template <TreeOf tree>
void up(const RootedCall& call) {
    gather_along(tree, call);
}
template <TreeOf tree>
void down(const RootedCall& call) {
    scatter_along(tree, call);
}

namespace trees {
/// The star: every other rank is a child of the root.
GatherNode linear(const RootedCall& call);
/// A fixed tree over the ranks relative to the root, whatever the block sizes: radix - 1 subtrees
/// join a rank's subtree in every round (Traeff 2017, section 1; radix 2: binomial).
template <int radix>
GatherNode knomial(const RootedCall& call);
/// knomial() in two levels, within nodes and between nodes, if all nodes have an equal number of
/// ranks.
template <int radix>
GatherNode on_nodes(const RootedCall& call);
/// The ordered tree: of `radix` adjacent cubes, those that are ready earlier send (Traeff 2017,
/// Lemmas 1 to 3). Equal blocks need no communication for the tree.
template <int radix>
GatherNode ordered(const RootedCall& call);
}  // namespace trees

/// Minimum bytes of a subtree of TUW_Gatherv_degrading or TUW_Scatterv_degrading that communicates
/// directly with the root. Sending these data once more would take several times the saved
/// start-up: 6.5 microseconds at 10 GB/s, while a start-up takes one or two.
inline constexpr std::int64_t degrading_threshold_bytes = 65536;

}  // namespace mpiaudit
