// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "trace/trace.h"

namespace mpiaudit {

/// Records a collective call without its processes: `prepare(rank)` makes the call of each rank on
/// phantom memory, and the calls run one after the other. A rank that needs a message of a rank
/// that has not come so far is abandoned by an exception, and prepared and run again later. The
/// trace is that of the calls; what happens while they are prepared is not part of it. Of the nodes
/// an algorithm sees `ranks_per_node` consecutive ranks on each. Throws std::logic_error when the
/// ranks wait for each other for ever, and TooLong after `most_steps`: a message is one,
/// and a run of a rank as many as there are ranks, each of which may have a block in it.
Trace replay(int ranks, const std::function<std::function<void()>(int rank)>& prepare,
             int ranks_per_node = 0,
             std::int64_t most_steps = std::numeric_limits<std::int64_t>::max());

}  // namespace mpiaudit
