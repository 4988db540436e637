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
/// Of messages that arrive at the same time the one of the lowest source is taken, then of the
/// lowest destination, then of the smallest datum, then of the lowest. Memory: 8 bytes for each
/// pair of hosts, and of host and datum, five times.
AllgatherSchedule min3_schedule(const Network& network, const Pool& root, Ports ports,
                                std::span<const double> bytes);

}  // namespace mpiaudit
