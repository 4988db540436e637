// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "../call/bind_first.h"

namespace mpiaudit {

struct RootedCall;
struct GatherNode;

/// Moves the blocks of a gather or scatter, as far as they concern this rank.
using RootedMove = void(const RootedCall& call);
/// This rank's node of the tree along which they move.
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
/// join a rank's in every round (Traeff 2017, section 1; radix 2: binomial).
template <int radix>
GatherNode knomial(const RootedCall& call);
/// The same in two levels, the ranks of a node, then the nodes, where every node has as many.
template <int radix>
GatherNode on_nodes(const RootedCall& call);
/// The ordered tree, in which of `radix` adjacent cubes those that are ready earlier send (Traeff
/// 2017, Lemmas 1 to 3); for equal blocks every rank knows it without communication.
template <int radix>
GatherNode ordered(const RootedCall& call);
}  // namespace trees

/// From here on a subtree of TUW_Gatherv_degrading or TUW_Scatterv_degrading deals directly with
/// the root. The time to send as much once more is then several times the start-up that it
/// saves: 6.5 microseconds at 10 GB/s, where a start-up takes one or two.
inline constexpr std::int64_t degrading_threshold_bytes = 65536;

}  // namespace mpiaudit
