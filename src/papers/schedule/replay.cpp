// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/replay.h"

#include <fmt/format.h>

#include "schedule/schedule.h"

namespace mpiaudit {

Replay replay(const AllgatherSchedule& schedule, const Network& network, Ports ports,
              std::span<const double> bytes) {
    Replay done;
    done.intervals.reserve(schedule.messages.size());
    PortTimes times(network, ports);
    PairMatrix held_s(schedule.hosts);
    for (const ScheduledMessage& message : schedule.messages) {
        double all_bytes = 0.0;
        double all_held_s = 0.0;
        for (const int datum : schedule.data_of(message)) {
            all_bytes += bytes[static_cast<std::size_t>(datum)];
            all_held_s = std::max(all_held_s, held_s(message.source, datum));
        }
        const PortTimes::Interval interval =
            times.send(message.source, message.destination, all_bytes, all_held_s);
        for (const int datum : schedule.data_of(message))
            held_s(message.destination, datum) = interval.end_s;
        done.end_s = std::max(done.end_s, interval.end_s);
        done.intervals.push_back(interval);
    }
    return done;
}

std::optional<std::string> flaw_of(const AllgatherSchedule& schedule) {
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
