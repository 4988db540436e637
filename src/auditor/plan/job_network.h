// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "options/options.h"
#include "schedule/scheduler.h"

namespace mpiaudit {

/// The scheduler for the ranks of this job from the file or the shipped network that --network
/// names; null where it names none. On ranks other than 0 its grid is empty. Collective; throws
/// UsageError on all ranks alike.
std::unique_ptr<const Scheduler> read_network(const RunOptions& options);

/// What a user should know before believing results with this network; on rank 0, else empty.
std::vector<std::string> network_warnings(const Scheduler& scheduler);

}  // namespace mpiaudit
