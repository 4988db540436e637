// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

#include "collectives/patterns/gather_trees.h"

namespace mpiaudit {

/// Moves the blocks along a tree of which this rank knows its node, amounts in bytes, as in Träff
/// 2017, section 3: non-blocking receives from all children, then one send to the parent, blocks in
/// the order of the subtree throughout. The root receives in place or by a datatype per child;
/// leaves send from the caller's buffer; empty subtrees send nothing.
void gather_over_tree(const RootedCall& call, const GatherNode& node);

/// Blocks of other ranks, consecutive and packed, that this rank has before any data move.
struct HeldBlocks {
    Subtree blocks;
    const std::byte* packed;
};

/// The part of it on ranks that have a parent.
void gather_to_parent(const RootedCall& call, const GatherNode& node,
                      std::span<const HeldBlocks> held = {});

}  // namespace mpiaudit
