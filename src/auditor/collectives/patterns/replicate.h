// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/call/bind_first.h"
#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"

namespace mpiaudit {

/// Block q is in place at the rank at position q; in a dissemination at rank q.
Replicate replicate_by_ring, replicate_by_recursive_doubling, replicate_by_dissemination;

/// Passes what the first `upper` ranks of the lower half of a subtree, positions tree to tree +
/// mask - 1, got from its incomplete upper half on to the others of the lower half, which have no
/// partner there. The number of those that have it doubles with every step (Thakur & Gropp 4.1).
void pass_on_in_lower_half(const TypedBuffer& upper_half, int tree, int mask, int upper,
                           const Ranks& ranks);

}  // namespace mpiaudit
