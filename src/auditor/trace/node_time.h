// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/linear_model.h"
#include "trace/trace.h"

namespace mpiaudit {

/// Trace::time where nodes are known. Every rank has a processor, which sends, receives and reduces
/// one after the other; every message takes its latency, and then its bytes a part of what they
/// need of the two ranks and of the cards or the memory of the nodes, the same part as all others
/// that need it.
double time_on_nodes(const Trace& trace, const LinearModel& model);

}  // namespace mpiaudit
