// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/replay.h"

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
            all_bytes += bytes[index(datum)];
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

}  // namespace mpiaudit
