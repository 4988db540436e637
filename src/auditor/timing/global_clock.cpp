// SPDX-License-Identifier: BSD-3-Clause
#include "timing/global_clock.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "messages/agreement.h"
#include "messages/messages.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

// Number of exchanges of one comparison. The shortest one is usually undisturbed.
constexpr int exchanges = 30;
// Comparisons of the first phase, and the least number after longest_base_s on a slow machine.
constexpr int first_points = 20, least_points = 5;
constexpr int further_points = 10;  // comparisons before the drift error is tested again
constexpr double between_first_points_s = 5e-3, between_further_points_s = 20e-3;
constexpr double longest_base_s = 3.0;  // limit of the construction
constexpr int points_of_refresh = 3;    // comparisons per refresh
// Least time between refreshes, and their largest share of the time.
constexpr double between_refreshes_s = 1.0, share_of_refreshes = 0.02;
// Older comparisons are dropped (if more than `few_points` are left): the drift may have changed.
constexpr double oldest_point_s = 60.0;
constexpr std::size_t few_points = 10;
constexpr double standard_errors = 3.0;  // width of error bounds
// Drift of a quartz in seconds per second, assumed while fewer than three comparisons are known.
constexpr double any_drift = 1e-4;

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

/// Returns a communicator of the first ranks of all nodes; an empty one on other ranks.
OwnedComm first_ranks(MPI_Comm comm, MPI_Comm node) {
    MPI_Comm made{};
    MPI_Comm_split(comm, messages::rank_in(node) == 0 ? 0 : MPI_UNDEFINED, 0, &made);
    return made == MPI_COMM_NULL ? OwnedComm{} : OwnedComm{made};
}

/// Sends this rank's time to `learner` once per exchange of its measure_offset().
template <class Now>
void answer_offset_requests(int learner, MPI_Comm comm, Now now) {
    for (int i = 0; i < exchanges; ++i) {
        MPI_Recv(nullptr, 0, MPI_DOUBLE, learner, 0, comm, MPI_STATUS_IGNORE);
        const double time_s = now();
        MPI_Send(&time_s, 1, MPI_DOUBLE, learner, 0, comm);
    }
}

/// Measures the offset of the teacher's clock by Cristian's method: keeps the exchange with the
/// shortest round trip. The teacher runs answer_offset_requests().
template <class Now>
OffsetPoint measure_offset(int teacher, MPI_Comm comm, Now now) {
    OffsetPoint best{0.0, 0.0, HUGE_VAL};
    for (int i = 0; i < exchanges; ++i) {
        const double sent_s = now();
        MPI_Send(nullptr, 0, MPI_DOUBLE, teacher, 0, comm);
        double time_s = 0.0;
        MPI_Recv(&time_s, 1, MPI_DOUBLE, teacher, 0, comm, MPI_STATUS_IGNORE);
        const double received_s = now();
        const double middle_s = sent_s + (received_s - sent_s) / 2;
        if (received_s >= sent_s && received_s - sent_s < best.round_trip_s)
            best = {middle_s, time_s - middle_s, received_s - sent_s};
    }
    return best;
}

void sleep(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

bool is_undisturbed(const OffsetPoint& point, double shortest_s) {
    return point.round_trip_s <= 2 * shortest_s;
}

double shortest_round_trip_s(std::span<const OffsetPoint> points) {
    return std::ranges::min(points, {}, &OffsetPoint::round_trip_s).round_trip_s;
}

/// Returns the distance of a point from the model (s).
double deviation_s(const OffsetPoint& point, const ClockModel& model) {
    return std::abs(point.offset_s - (model.global(point.local_s) - point.local_s));
}

/// Returns the drift error (s/s) that is small enough: until the next refresh, clocks of different
/// nodes drift apart by at most a twentieth of a round trip. Clocks of one node rarely drift, so
/// they get the largest value.
double wanted_drift_error(double round_trip_s, Oscillators oscillators) {
    constexpr double most = 5e-6;
    if (oscillators == Oscillators::same) return most;
    return std::clamp(round_trip_s / 20 / between_refreshes_s, 1e-7, most);
}

}  // namespace

ClockModel fit(std::span<const OffsetPoint> points, Oscillators oscillators) {
    const double shortest_s = shortest_round_trip_s(points);
    double number = 0.0, time_s = 0.0, offset_s = 0.0;
    for (const OffsetPoint& point : points) {
        if (!is_undisturbed(point, shortest_s)) continue;
        number += 1.0;
        // Averages differences, since the times themselves share too many digits.
        time_s += point.local_s - points.front().local_s;
        offset_s += point.offset_s - points.front().offset_s;
    }
    ClockModel model{points.front().local_s + time_s / number,
                     points.front().offset_s + offset_s / number, 0.0, shortest_s / 2,
                     oscillators == Oscillators::same ? 0.0 : any_drift};
    double squares = 0.0, products = 0.0, scatter = 0.0;
    for (const OffsetPoint& point : points) {
        if (!is_undisturbed(point, shortest_s)) continue;
        const double since_s = point.local_s - model.origin_s;
        squares += since_s * since_s;
        products += since_s * (point.offset_s - model.offset_s);
        scatter += (point.offset_s - model.offset_s) * (point.offset_s - model.offset_s);
    }
    if (number < 3.0 || squares == 0.0) return model;
    const double drift = products / squares;
    const double variance = std::max(0.0, scatter - drift * products) / (number - 2.0);
    model.offset_error_s = standard_errors * std::sqrt(variance / number);
    const double drift_error = standard_errors * std::sqrt(variance / squares);
    // Clocks of one node do not drift unless the points show more than half a round trip of error
    // each.
    const double feigned = oscillators == Oscillators::same ? shortest_s / std::sqrt(squares) : 0.0;
    if (std::abs(drift) > std::max(drift_error, feigned)) {
        model.drift = drift;
        model.drift_error = drift_error;
    } else if (oscillators == Oscillators::different) {
        model.drift_error = std::min(any_drift, std::abs(drift) + drift_error);
    }
    return model;
}

ClockModel compose(const ClockModel& to_teacher, const ClockModel& of_teacher) {
    const double teacher_s = to_teacher.global(to_teacher.origin_s);
    return {to_teacher.origin_s, of_teacher.global(teacher_s) - to_teacher.origin_s,
            to_teacher.drift + of_teacher.drift + to_teacher.drift * of_teacher.drift,
            to_teacher.offset_error_s + of_teacher.error_s(teacher_s),
            to_teacher.drift_error + of_teacher.drift_error};
}

void forget_refuted(std::vector<OffsetPoint>& points, Oscillators oscillators) {
    while (points.size() > 2) {
        const OffsetPoint& newest = points.back();
        if (!is_undisturbed(newest, shortest_round_trip_s(points))) return;
        if (deviation_s(newest, fit(points, oscillators)) <= newest.round_trip_s / 2) return;
        points.erase(points.begin(),
                     points.begin() + static_cast<std::ptrdiff_t>((points.size() + 1) / 2));
    }
}

GlobalClock::GlobalClock(MPI_Comm comm, Clock local, Base base)
    : all_{duplicate(comm)},
      node_{split_by_node(all_.get())},
      leaders_{first_ranks(all_.get(), node_.get())},
      local_{local},
      oscillators_{leaders_ && base == Base::audit ? Oscillators::different : Oscillators::same} {
    if (base == Base::moment) {
        for (int i = 0; i < least_points; ++i) compare();
        fit_models(0.0);
        return;
    }
    const double begin_s = wall_time_s();
    const auto elapsed_s = [&] { return largest_of_ranks(wall_time_s() - begin_s, all_.get()); };
    for (int i = 0; i < first_points; ++i) {
        sleep(between_first_points_s);
        compare();
        // Comparisons are slow on an overloaded machine; a few already span a long time.
        if (i + 1 >= least_points && elapsed_s() > longest_base_s) break;
    }
    fit_models(0.0);
    while (elapsed_s() < longest_base_s &&
           largest_of_ranks(wants_longer_base() ? 1 : 0, all_.get()) != 0) {
        for (int i = 0; i < further_points; ++i) {
            sleep(between_further_points_s);
            compare();
        }
        fit_models(0.0);
    }
    last_refresh_s_ = wall_time_s();
}

bool GlobalClock::wants_longer_base() const {
    // A rank without teacher has no points.
    return !points_.empty() && to_teacher_.drift_error >
                                   wanted_drift_error(shortest_round_trip_s(points_), oscillators_);
}

ClockAgreement GlobalClock::refresh() {
    const double begin_s = wall_time_s();
    double own_deviation_s = 0.0;
    const std::size_t known = points_.size();
    for (int i = 0; i < points_of_refresh; ++i) compare();
    double worst[3] = {0.0, 0.0, 0.0};
    if (points_.size() > known) {
        const auto made = std::span(points_).subspan(known);
        const OffsetPoint best = std::ranges::min(made, {}, &OffsetPoint::round_trip_s);
        own_deviation_s = deviation_s(best, to_teacher_);
        worst[1] = best.round_trip_s;
        while (points_.size() > few_points &&
               points_.back().local_s - points_.front().local_s > oldest_point_s)
            points_.erase(points_.begin());
        forget_refuted(points_, oscillators_);
    }
    worst[0] = fit_models(own_deviation_s);
    worst[2] = std::abs(model_.drift);
    take_largest(worst, all_.get());
    last_refresh_s_ = wall_time_s();
    refresh_took_s_ = last_refresh_s_ - begin_s;
    return {worst[0], worst[1], worst[2]};
}

bool GlobalClock::is_due() const {
    return wall_time_s() - last_refresh_s_ >
           std::max(between_refreshes_s, refresh_took_s_ / share_of_refreshes);
}

void GlobalClock::compare() {
    if (leaders_) compare_over(leaders_.get());
    compare_over(node_.get());
}

void GlobalClock::compare_over(MPI_Comm comm) {
    const under_test::InHarness in_harness;
    const int rank = messages::rank_in(comm), ranks = messages::size_of(comm);
    for (int known = 1; known < ranks; known *= 2) {
        if (rank < known && rank + known < ranks)
            answer_offset_requests(rank + known, comm, local_.now);
        if (rank >= known && rank < 2 * known)
            points_.push_back(measure_offset(rank - known, comm, local_.now));
    }
}

double GlobalClock::fit_models(double own_deviation_s) {
    if (!points_.empty()) to_teacher_ = fit(points_, oscillators_);
    if (leaders_) own_deviation_s = propagate_models(leaders_.get(), own_deviation_s);
    return propagate_models(node_.get(), own_deviation_s);
}

double GlobalClock::propagate_models(MPI_Comm comm, double deviation_s) {
    struct Lesson {
        ClockModel model;
        double deviation_s;
    };
    constexpr int bytes = sizeof(Lesson);
    const under_test::InHarness in_harness;
    const int rank = messages::rank_in(comm), ranks = messages::size_of(comm);
    for (int known = 1; known < ranks; known *= 2) {
        if (rank < known && rank + known < ranks) {
            const Lesson lesson{model_, deviation_s};
            MPI_Send(&lesson, bytes, MPI_BYTE, rank + known, 0, comm);
        }
        if (rank >= known && rank < 2 * known) {
            Lesson lesson{};
            MPI_Recv(&lesson, bytes, MPI_BYTE, rank - known, 0, comm, MPI_STATUS_IGNORE);
            model_ = compose(to_teacher_, lesson.model);
            deviation_s += lesson.deviation_s;
        }
    }
    return deviation_s;
}

ClockAgreement GlobalClock::check() {
    const int rank = messages::rank_in(all_.get()), ranks = messages::size_of(all_.get());
    const auto global = [this] { return now(); };
    double worst[3] = {0.0, 0.0, std::abs(model_.drift)};
    for (int other = 1; other < ranks; ++other) {
        if (rank == 0) answer_offset_requests(other, all_.get(), global);
        if (rank != other) continue;
        const OffsetPoint point = measure_offset(0, all_.get(), global);
        worst[0] = std::abs(point.offset_s);
        worst[1] = point.round_trip_s;
    }
    take_largest(worst, all_.get());
    return {worst[0], worst[1], worst[2]};
}

}  // namespace mpiaudit
