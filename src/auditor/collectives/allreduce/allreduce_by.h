// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collectives/call/ranks.h"
#include "collectives/reduce/reduction.h"

namespace mpiaudit {

/// Reduces the `input` of all ranks into the `output` of all as recursive_doubling_Allreduce does;
/// `input` may be `output`.
void allreduce_by_recursive_doubling(const Reduction& reduction, const void* input, void* output,
                                     const Ranks& ranks);

}  // namespace mpiaudit
