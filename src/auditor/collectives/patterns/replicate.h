// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/call/bind_first.h"
#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"

namespace mpiaudit {

/// Before the call, block q is in place at the rank at position q; for dissemination at rank q.
Replicate replicate_by_ring, replicate_by_recursive_doubling, replicate_by_dissemination;

/// Passes blocks of an incomplete upper half on within the lower half of a subtree, positions tree
/// to tree + mask - 1: from its first `upper` ranks, which have partners, to the others. The number
/// of ranks with the blocks doubles with every step (Thakur & Gropp 4.1).
void pass_on_in_lower_half(const TypedBuffer& upper_half, int tree, int mask, int upper,
                           const Ranks& ranks);

}  // namespace mpiaudit
