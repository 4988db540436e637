// SPDX-License-Identifier: BSD-3-Clause
#include "timing/global_clock.h"

#include <algorithm>
#include <cmath>

#include "messages/agreement.h"

namespace mpiaudit {
namespace {

// The shortest of so many exchanges has met no disturbance, as a rule.
constexpr int exchanges = 30;
constexpr int first_points = 20;
constexpr double between_points_s = 5e-3;
// Beyond that, the drift itself may have changed.
constexpr std::size_t most_points = 200;

MPI_Comm duplicate(MPI_Comm comm) {
    MPI_Comm made{};
    MPI_Comm_dup(comm, &made);
    return made;
}

MPI_Comm split_by_node(MPI_Comm comm) {
    MPI_Comm made{};
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
    return made;
}

int rank_in(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

/// The first ranks of all nodes; empty on the others.
OwnedComm first_ranks(MPI_Comm comm, MPI_Comm node) {
    MPI_Comm made{};
    MPI_Comm_split(comm, rank_in(node) == 0 ? 0 : MPI_UNDEFINED, 0, &made);
    return made == MPI_COMM_NULL ? OwnedComm{} : OwnedComm{made};
}

template <class Now>
void teach(int learner, MPI_Comm comm, Now now) {
    for (int i = 0; i < exchanges; ++i) {
        MPI_Recv(nullptr, 0, MPI_DOUBLE, learner, 0, comm, MPI_STATUS_IGNORE);
        const double time_s = now();
        MPI_Send(&time_s, 1, MPI_DOUBLE, learner, 0, comm);
    }
}

/// Cristian's method: of several exchanges, the one with the shortest round trip.
template <class Now>
OffsetPoint ask(int teacher, MPI_Comm comm, Now now) {
    OffsetPoint best{0.0, 0.0, HUGE_VAL};
    for (int i = 0; i < exchanges; ++i) {
        const double sent_s = now();
        MPI_Send(nullptr, 0, MPI_DOUBLE, teacher, 0, comm);
        double time_s = 0.0;
        MPI_Recv(&time_s, 1, MPI_DOUBLE, teacher, 0, comm, MPI_STATUS_IGNORE);
        const double received_s = now();
        const double middle_s = sent_s + (received_s - sent_s) / 2;
        if (received_s - sent_s < best.round_trip_s)
            best = {middle_s, time_s - middle_s, received_s - sent_s};
    }
    return best;
}

void pause(double seconds) {
    const double start = MPI_Wtime();
    while (MPI_Wtime() - start < seconds) continue;
}

}  // namespace

ClockModel fit(std::span<const OffsetPoint> points) {
    const double shortest_s = std::ranges::min(points, {}, &OffsetPoint::round_trip_s).round_trip_s;
    const auto is_undisturbed = [&](const OffsetPoint& point) {
        return point.round_trip_s <= 2 * shortest_s;
    };
    double number = 0.0, time_s = 0.0, offset_s = 0.0;
    for (const OffsetPoint& point : points) {
        if (!is_undisturbed(point)) continue;
        number += 1.0;
        // Means of differences: the times themselves have too many digits in common.
        time_s += point.local_s - points.front().local_s;
        offset_s += point.offset_s - points.front().offset_s;
    }
    const ClockModel mean{points.front().local_s + time_s / number,
                          points.front().offset_s + offset_s / number, 0.0};
    double squares = 0.0, products = 0.0;
    for (const OffsetPoint& point : points) {
        if (!is_undisturbed(point)) continue;
        const double since_s = point.local_s - mean.origin_s;
        squares += since_s * since_s;
        products += since_s * (point.offset_s - mean.offset_s);
    }
    if (squares == 0.0) return mean;
    // Each point may be wrong by half of its round trip. A drift that such errors could feign over
    // this stretch would grow with time, where none at all stays as good as the points are.
    const double drift = products / squares;
    const double uncertainty = 0.5 * shortest_s / std::sqrt(squares);
    return {mean.origin_s, mean.offset_s, std::abs(drift) > 2 * uncertainty ? drift : 0.0};
}

GlobalClock::GlobalClock(MPI_Comm comm, Clock local)
    : all_{duplicate(comm)},
      node_{split_by_node(all_.get())},
      leaders_{first_ranks(all_.get(), node_.get())},
      local_{local} {
    learn(first_points);
}

void GlobalClock::refresh() {
    learn(1);
}

void GlobalClock::learn(int points) {
    if (leaders_) learn_over(leaders_.get(), points);
    learn_over(node_.get(), points);
}

void GlobalClock::learn_over(MPI_Comm comm, int points) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int known = 1; known < ranks; known *= 2) {
        const bool learns = rank >= known && rank < 2 * known;
        const bool teaches = rank < known && rank + known < ranks;
        for (int i = 0; i < points && (learns || teaches); ++i) {
            if (points > 1) pause(between_points_s);
            if (teaches) teach(rank + known, comm, [this] { return now(); });
            if (learns) points_.push_back(ask(rank - known, comm, local_.now));
        }
        if (!learns) continue;
        if (points_.size() > most_points) points_.erase(points_.begin());
        model_ = fit(points_);
    }
}

ClockAgreement GlobalClock::check() {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(all_.get(), &rank);
    MPI_Comm_size(all_.get(), &ranks);
    const auto global = [this] { return now(); };
    double worst[3] = {0.0, 0.0, std::abs(model_.drift)};
    for (int other = 1; other < ranks; ++other) {
        if (rank == 0) teach(other, all_.get(), global);
        if (rank != other) continue;
        const OffsetPoint point = ask(0, all_.get(), global);
        worst[0] = std::abs(point.offset_s);
        worst[1] = point.round_trip_s;
    }
    take_largest(worst, all_.get());
    return {worst[0], worst[1], worst[2]};
}

}  // namespace mpiaudit
