// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "network/network.h"
#include "network/pools.h"
#include "schedule/schedule.h"

namespace mpiaudit {

/// Min3-Allgather (Gupta & Vadhiyar 2007, Figures 3 to 7): within the root pool every datum is sent
/// to one host of every pool that does not have it, always the message that arrives first; then
/// within each of these pools, and so on down to the hosts. `bytes[i]` is the size of datum i.
///
/// Of messages that arrive at the same time that one is taken which Figure 5's loops meet first: of
/// the lowest datum, then to the first part of the pool, then from the host that had the datum
/// first, then to the first host of the part. Memory: 8 bytes for each pair of hosts, and of host
/// and datum, five times, and 4 bytes once more.
AllgatherSchedule min3_schedule(const Network& network, const Pool& root, Ports ports,
                                std::span<const double> bytes);

}  // namespace mpiaudit
