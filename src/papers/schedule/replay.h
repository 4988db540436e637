// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "network/network.h"
#include "schedule/schedule.h"

namespace mpiaudit {

/// Times when the hosts' ports and the links between them are available again: the single-port
/// models of Gupta & Vadhiyar 2007, equations 1 to 3. Times never decrease.
class PortTimes {
  public:
    PortTimes(const Network& network, Ports ports)
        : network_{network},
          ports_{ports},
          link_s_(network.size()),
          send_s_(index(network.size())),
          receive_s_(send_s_) {}

    /// Returns when both ports and the link are available.
    double available_s(int source, int destination) const {
        return std::max({link_s_(source, destination), send_s(source), receive_s(destination)});
    }
    double send_s(int host) const { return send_s_[index(host)]; }
    double receive_s(int host) const { return receive_s_[index(host)]; }

    /// The interval of a message whose data the source has from `held_s` on. Equations 2 and 3 rely
    /// on the receiving port for `held_s`; in the full-duplex model this does not stop a host from
    /// sending data that it has not received yet, so the time is explicit.
    struct Interval {
        double start_s;
        double end_s;
    };
    Interval send(int source, int destination, double bytes, double held_s) {
        const double start_s = std::max(available_s(source, destination), held_s);
        const double end_s = start_s + network_.transfer_s(bytes, source, destination);
        link_s_(source, destination) = start_s + network_.gap_s(bytes, source, destination);
        take(send_s_, receive_s_, source,
             start_s + network_.send_overhead_s(bytes, source, destination));
        take(receive_s_, send_s_, destination, end_s);
        return {start_s, end_s};
    }

  private:
    void take(std::vector<double>& port, std::vector<double>& other, int host, double until_s) {
        port[index(host)] = until_s;
        if (ports_ == Ports::half_duplex) other[index(host)] = until_s;
    }

    const Network& network_;
    Ports ports_;
    PairMatrix link_s_;
    std::vector<double> send_s_;
    std::vector<double> receive_s_;
};

/// The times of a schedule in the model.
struct Replay {
    double end_s = 0.0;
    std::vector<PortTimes::Interval> intervals;  ///< of each message
};

/// Sends the messages in the order of the schedule. \param bytes[i] size of datum i
Replay replay(const AllgatherSchedule& schedule, const Network& network, Ports ports,
              std::span<const double> bytes);

}  // namespace mpiaudit
