// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mpiaudit {

/// One message of a schedule: some of its data from one host to another.
struct ScheduledMessage {
    int source;
    int destination;
    std::uint32_t first;  ///< of its data in AllgatherSchedule::data
    std::uint32_t count;
};

/// An allgather as a list of messages between hosts 0 ... hosts-1, of which host i starts with
/// datum i. Every host sends and receives its messages in the order of the list.
struct AllgatherSchedule {
    int hosts = 0;
    std::vector<ScheduledMessage> messages;
    std::vector<int> data;
    double predicted_s =
        0.0;  ///< end of the last message in the model; 0 where nothing is predicted

    std::span<const int> data_of(const ScheduledMessage& message) const {
        return std::span(data).subspan(message.first, message.count);
    }
    void add(int source, int destination, std::span<const int> sent) {
        messages.push_back({source, destination, static_cast<std::uint32_t>(data.size()),
                            static_cast<std::uint32_t>(sent.size())});
        data.insert(data.end(), sent.begin(), sent.end());
    }
    void add(int source, int destination, int datum) {
        add(source, destination, std::span(&datum, 1));
    }
};

/// The place in a vector of what is counted from 0 by an int: a host, a pool, a datum.
inline std::size_t index(int i) {
    return static_cast<std::size_t>(i);
}

}  // namespace mpiaudit
