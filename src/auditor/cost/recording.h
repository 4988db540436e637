// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>

#include "catalogue/arrow.h"
#include "trace/trace.h"

namespace mpiaudit {

/// What the ranks of a reference algorithm do on a problem: recorded from the algorithm itself, on
/// this rank alone and without the data. `padded`: all blocks are as long as the largest one.
/// Throws TooLong as replay() does.
Trace record(const Arrow& arrow, const Problem& problem, bool padded,
             std::int64_t most_steps = std::numeric_limits<std::int64_t>::max());

}  // namespace mpiaudit
