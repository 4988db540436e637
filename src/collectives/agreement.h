// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/arrow.h"

namespace mpiaudit {

/// MPI_Allreduce(1): every rank contributes the size of its block, one MPI_INT, and learns the
/// largest. The blocks stay where they are; from here on they count as padded to that size.
Step agree_on_largest_block(const Setting& setting, const Place& from, bool padded);

}  // namespace mpiaudit
