// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "network/network.h"
#include "schedule/port_times.h"
#include "schedule/schedule.h"

namespace mpiaudit {

/// A schedule carried out in the model.
struct Replay {
    double end_s = 0.0;
    std::vector<PortTimes::Interval> intervals;  ///< of each message
};

/// Carries out the messages in the order of the schedule; `bytes[i]` is the size of datum i.
Replay replay(const AllgatherSchedule& schedule, const Network& network, Ports ports,
              std::span<const double> bytes);

/// What keeps a schedule from being an allgather in which no host receives a datum twice: a message
/// from a host that does not have the datum yet, to a host that has it, or a datum that does not
/// reach every host. Nothing when all is right.
std::optional<std::string> flaw_of(const AllgatherSchedule& schedule);

}  // namespace mpiaudit
