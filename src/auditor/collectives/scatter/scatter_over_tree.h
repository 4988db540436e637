// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/gather/gather_tree.h"
#include "collectives/gather/rooted_call.h"

namespace mpiaudit {

/// Moves the blocks down a gather tree of which this rank knows its node, amounts in bytes: one
/// receive from the parent, then non-blocking sends to the children, those first that a gather
/// would receive last, for their subtrees are the deepest. The root sends from where the blocks
/// lie, by a datatype per child if need be; leaves receive into the caller's buffer; empty subtrees
/// receive nothing.
int scatter_over_tree(const RootedCall& call, const GatherNode& node);

/// The part of it on ranks that have a parent.
void scatter_from_parent(const RootedCall& call, const GatherNode& node);

}  // namespace mpiaudit
