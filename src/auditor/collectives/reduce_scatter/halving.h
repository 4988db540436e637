// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/call/blocks.h"
#include "collectives/reduce_scatter/fold.h"

namespace mpiaudit {

/// Recursive halving among the ranks that are left of `fold`, one part for each of these, in the
/// order of distances of their numbers: every one has its operands in the buffer of the parts;
/// afterwards part `number` of the reduction over all of them is there. `incoming` is as large as
/// that buffer. Commutative operators only.
void reduce_by_halving(const Reduction& reduction, const Blocks& parts, void* incoming,
                       const Fold& fold, const Ranks& ranks);

}  // namespace mpiaudit
