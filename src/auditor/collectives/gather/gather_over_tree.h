// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

#include "collectives/patterns/gather_trees.h"

namespace mpiaudit {

/// Moves the blocks along a tree, given this rank's node with amounts in bytes, as in Träff 2017,
/// section 3: non-blocking receives from all children, then one send to the parent, all blocks in
/// the order of the subtree. The root receives in place or with a datatype per child; leaves send
/// from the caller's buffer; empty subtrees send nothing.
void gather_over_tree(const RootedCall& call, const GatherNode& node);

/// Consecutive packed blocks of other ranks that this rank has before data move.
struct HeldBlocks {
    Subtree blocks;
    const std::byte* packed;
};

/// Does the part of gather_over_tree() on ranks with a parent.
void gather_to_parent(const RootedCall& call, const GatherNode& node,
                      std::span<const HeldBlocks> held = {});

}  // namespace mpiaudit
