// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "schedule/schedule.h"

namespace mpiaudit {

/// What keeps a schedule from being an allgather in which no host receives a datum twice: a message
/// from a host that does not have the datum yet, to a host that has it, or a datum that does not
/// reach every host. Nothing when all is right.
inline std::optional<std::string> flaw_of(const AllgatherSchedule& schedule) {
    std::vector<DataSet> held(static_cast<std::size_t>(schedule.hosts), DataSet(schedule.hosts));
    for (int host = 0; host < schedule.hosts; ++host)
        held[static_cast<std::size_t>(host)].add(host);
    std::size_t received = 0;
    for (const ScheduledMessage& message : schedule.messages) {
        for (const int datum : schedule.data_of(message)) {
            DataSet& destination = held[static_cast<std::size_t>(message.destination)];
            if (!held[static_cast<std::size_t>(message.source)].has(datum))
                return fmt::format("host {} sends datum {} before it has it", message.source,
                                   datum);
            if (destination.has(datum))
                return fmt::format("host {} gets datum {} twice", message.destination, datum);
            destination.add(datum);
            ++received;
        }
    }
    const auto hosts = static_cast<std::size_t>(schedule.hosts);
    if (received != hosts * (hosts - 1))
        return fmt::format("{} data are missing somewhere", hosts * (hosts - 1) - received);
    return std::nullopt;
}

}  // namespace mpiaudit
