// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/message_combining.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace mpiaudit {
namespace {

/// Of a message: 1.6 microseconds at 10 GB/s.
constexpr std::int64_t usual_startup = 16384;

CombiningSchedule where_all_begin(std::span<const Offset> offsets, bool gives_one) {
    CombiningSchedule schedule;
    schedule.last.resize(offsets.size());
    if (!gives_one) std::iota(schedule.last.begin(), schedule.last.end(), 0);
    schedule.places = gives_one ? 1 : static_cast<int>(offsets.size());
    return schedule;
}

/// What goes along one dimension, by how far.
class Phase {
  public:
    Phase(CombiningSchedule& schedule, std::size_t dimension, std::size_t dimensions)
        : schedule_{schedule}, dimension_{dimension}, dimensions_{dimensions} {}

    /// \returns where the block comes to rest
    int send(int place, int distance) {
        CombiningSchedule::Message& message = by_distance_[distance];
        message.hop.assign(dimensions_, 0);
        message.hop[dimension_] = distance;
        message.sent.push_back(place);
        message.received.push_back(schedule_.places);
        return schedule_.places++;
    }
    void end() {
        schedule_.phases.emplace_back();
        for (auto& [distance, message] : by_distance_)
            schedule_.phases.back().push_back(std::move(message));
    }

  private:
    CombiningSchedule& schedule_;
    std::size_t dimension_, dimensions_;
    std::map<int, CombiningSchedule::Message> by_distance_;
};

/// A block that goes to several rests once where its ways are still the same.
CombiningSchedule in_order(std::span<const std::size_t> order, std::span<const Offset> offsets,
                           bool gives_one) {
    CombiningSchedule schedule = where_all_begin(offsets, gives_one);
    std::vector<Offset> gone(offsets.size(), Offset(order.size(), 0));
    for (const std::size_t dimension : order) {
        Phase phase(schedule, dimension, order.size());
        std::map<Offset, int> resting;
        for (std::size_t k = 0; k < offsets.size(); ++k) {
            const int distance = offsets[k][dimension];
            if (distance == 0) continue;
            gone[k][dimension] = distance;
            const auto found = gives_one ? resting.find(gone[k]) : resting.end();
            schedule.last[k] =
                found != resting.end() ? found->second : phase.send(schedule.last[k], distance);
            resting[gone[k]] = schedule.last[k];
        }
        phase.end();
    }
    return schedule;
}

}  // namespace

int CombiningSchedule::messages() const {
    int sum = 0;
    for (const auto& phase : phases) sum += static_cast<int>(phase.size());
    return sum;
}

int CombiningSchedule::blocks() const {
    int sum = 0;
    for (const auto& phase : phases)
        for (const Message& message : phase) sum += static_cast<int>(message.sent.size());
    return sum;
}

CombiningSchedule straight(std::span<const Offset> offsets, bool gives_one) {
    CombiningSchedule schedule = where_all_begin(offsets, gives_one);
    auto& messages = schedule.phases.emplace_back();
    for (std::size_t k = 0; k < offsets.size(); ++k) {
        messages.push_back({offsets[k], {schedule.last[k]}, {schedule.places}});
        schedule.last[k] = schedule.places++;
    }
    return schedule;
}

CombiningSchedule by_dimensions(std::span<const Offset> offsets, bool gives_one) {
    std::vector<std::size_t> order(offsets.empty() ? 0 : offsets.front().size());
    std::iota(order.begin(), order.end(), 0);
    std::optional<CombiningSchedule> best;
    do {
        CombiningSchedule schedule = in_order(order, offsets, gives_one);
        if (!best || schedule.blocks() < best->blocks()) best = std::move(schedule);
    } while (gives_one && std::ranges::next_permutation(order).found);
    return std::move(*best);
}

CombiningSchedule by_dimensions_if_short(std::span<const Offset> offsets, bool gives_one,
                                         std::int64_t block_bytes) {
    CombiningSchedule combined = by_dimensions(offsets, gives_one);
    CombiningSchedule direct = straight(offsets, gives_one);
    return combined.cost(block_bytes, usual_startup) < direct.cost(block_bytes, usual_startup)
               ? combined
               : direct;
}

}  // namespace mpiaudit
