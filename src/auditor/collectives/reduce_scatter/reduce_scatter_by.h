// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "collectives/reduce_scatter/reduce_scatter.h"

namespace mpiaudit {

/// Whether MPI_Reduce_local, which counts elements with an int, can take all blocks at once. The
/// same on all ranks.
bool fits_reduce_local(const Blocks& blocks);

}  // namespace mpiaudit
