// SPDX-License-Identifier: BSD-3-Clause
#include "timing/global_clock.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "messages/agreement.h"
#include "timing/rounds.h"

#include "../world.h"

namespace mpiaudit {
namespace {

/// All ranks of a test run on one host and read one clock, so the truth is known. Each rank sees
/// the clock with an error of its own: 10 s and a share of 0.001 per rank.
const Clock truth = find_clock("monotonic").value();
const double beginning_s = truth.now();
constexpr double offset_s = 10.0;
constexpr double drift = 1e-3;

double distorted_now() {
    const double since_s = truth.now() - beginning_s;
    return beginning_s + since_s + own_rank() * (offset_s + drift * since_s);
}
const Clock distorted{"distorted", distorted_now};

TEST(Fit, RecoversOffsetAndDrift) {
    std::vector<OffsetPoint> points;
    for (int i = 0; i < 50; ++i) {
        const double local_s = 1e6 + 0.01 * i;
        const double noise_s = (i % 2 == 0 ? 1 : -1) * 2e-8;
        points.push_back({local_s, 5.0 + 1e-5 * (local_s - 1e6) + noise_s, 1e-6});
    }
    // A disturbed exchange, far off.
    points.push_back({1e6 + 0.1, 7.0, 5e-6});
    const ClockModel model = fit(points, Oscillators::different);
    EXPECT_NEAR(model.drift, 1e-5, 1e-7);
    EXPECT_NEAR(model.global(1e6 + 1.0), 1e6 + 1.0 + 5.0 + 1e-5, 1e-7);
}

TEST(Fit, OnePointTellsNoDrift) {
    const ClockModel model =
        fit(std::vector<OffsetPoint>{{3.0, 2.0, 1e-6}}, Oscillators::different);
    EXPECT_EQ(model.drift, 0.0);
    EXPECT_EQ(model.global(10.0), 12.0);
}

TEST(Fit, PointsTooCloseTogetherTellNoDrift) {
    const ClockModel model =
        fit(std::vector<OffsetPoint>{{3.0, 2.0, 1e-6}, {3.0 + 1e-6, 2.0 + 1e-7, 1e-6}},
            Oscillators::different);
    EXPECT_EQ(model.drift, 0.0);
}

/// A point each half second of a clock that drifts by that share; odd and even ones differ by twice
/// the noise.
std::vector<OffsetPoint> points_with(int number, double share, double noise_s,
                                     double begin_s = 0.0) {
    std::vector<OffsetPoint> points;
    for (int i = 0; i < number; ++i)
        points.push_back(
            {begin_s + 0.5 * i, share * 0.5 * i + (i % 2 == 0 ? noise_s : -noise_s), 100e-6});
    return points;
}

TEST(Fit, ADriftIsTakenForOneWhereTheScatterShowsIt) {
    const ClockModel model = fit(points_with(10, 1e-5, 1e-6), Oscillators::different);
    EXPECT_NEAR(model.drift, 1e-5, model.drift_error);
    EXPECT_LT(model.drift_error, 1.5e-6);
    EXPECT_GT(model.drift_error, 0.5e-6);
    EXPECT_NEAR(model.error_s(model.origin_s), 3 * 1e-6 / std::sqrt(8.0), 0.1e-6);
    EXPECT_GT(model.error_s(model.origin_s + 10.0), 5e-6) << "it grows with time";
}

TEST(Fit, DriftHiddenByScatterIsAnErrorUnlessClocksCountAlike) {
    const std::vector<OffsetPoint> points = points_with(10, 1e-7, 1e-6);
    const ClockModel different = fit(points, Oscillators::different);
    EXPECT_EQ(different.drift, 0.0);
    EXPECT_GT(different.drift_error, 0.5e-6);
    EXPECT_EQ(fit(points, Oscillators::same).drift_error, 0.0);
    // A drift that half a round trip of each point could feign.
    EXPECT_EQ(fit(points_with(10, 1e-5, 1e-6), Oscillators::same).drift, 0.0);
    EXPECT_NE(fit(points_with(10, 1e-3, 1e-6), Oscillators::same).drift, 0.0);
}

TEST(Fit, OnePointBetweenHostsMayBeTheBeginningOfAnyDrift) {
    const std::vector<OffsetPoint> points{{3.0, 2.0, 1e-6}};
    EXPECT_EQ(fit(points, Oscillators::different).error_s(4.0), 0.5e-6 + 1e-4);
    EXPECT_EQ(fit(points, Oscillators::same).error_s(4.0), 0.5e-6);
}

TEST(Through, AModelOfTheTeacherAndOfWhatItTeaches) {
    const ClockModel to_teacher{100.0, 5.0, 1e-3, 1e-6, 1e-7};
    const ClockModel of_teacher{50.0, -7.0, 2e-3, 2e-6, 3e-7};
    const ClockModel model = compose(to_teacher, of_teacher);
    for (const double local_s : {100.0, 117.0, 3.0})
        EXPECT_NEAR(model.global(local_s), of_teacher.global(to_teacher.global(local_s)), 1e-9);
    EXPECT_DOUBLE_EQ(model.error_s(100.0), 1e-6 + 2e-6 + 3e-7 * 55.0);
    EXPECT_DOUBLE_EQ(model.drift_error, 4e-7);
}

TEST(ForgetRefuted, PointsOfAnotherDriftAreLeftOut) {
    std::vector<OffsetPoint> points = points_with(20, 1e-5, 1e-6);
    forget_refuted(points, Oscillators::different);
    EXPECT_EQ(points.size(), 20U);
    // The drift grows by 300 ppm at second 10.
    for (OffsetPoint point : points_with(4, 3.1e-4, 1e-6, 10.0)) {
        point.offset_s += 1e-4;
        points.push_back(point);
    }
    forget_refuted(points, Oscillators::different);
    EXPECT_LT(points.size(), 10U);
    EXPECT_GE(points.size(), 2U);
    EXPECT_EQ(points.back().local_s, 11.5);
    // A disturbed exchange says nothing.
    points.push_back({12.0, 1.0, 1.0});
    const std::size_t number = points.size();
    forget_refuted(points, Oscillators::different);
    EXPECT_EQ(points.size(), number);
}

/// Returns true if a new clock has found the offsets and drifts; equal on every rank.
bool recovers_the_truth() {
    const int ranks = ranks_of_world();
    GlobalClock clock(MPI_COMM_WORLD, distorted);
    clock.refresh();
    const double before = truth.now();
    const double global = clock.now();
    const double after = truth.now();
    const ClockAgreement agreement = clock.check();
    constexpr double near_s = 50e-6;  // of 10 s
    int is_near = global > before - near_s && global < after + near_s &&
                  agreement.error_s < near_s &&
                  std::abs(agreement.drift - drift * (ranks - 1)) <= 0.1 * drift * ranks;
    MPI_Allreduce(MPI_IN_PLACE, &is_near, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return is_near != 0;
}

// The error is at most half of the round trips, unless the scheduler suspends a rank meanwhile. If
// more ranks than processors wait for each other, this happens to most clocks, but not to all of a
// hundred.
TEST(GlobalClock, RecoversArtificialOffsetAndDrift) {
    bool is_recovered = false;
    for (int attempt = 0; attempt < 100 && !is_recovered; ++attempt)
        is_recovered = recovers_the_truth();
    EXPECT_TRUE(is_recovered);
}

TEST(StartWindow, NobodyStartsBeforeTheAgreedTime) {
    GlobalClock clock(MPI_COMM_WORLD, distorted);
    StartWindow window(MPI_COMM_WORLD, clock);
    for (int i = 0; i < 20; ++i) {
        const bool was_on_time = window.wait();
        if (was_on_time) {
            EXPECT_GE(window.now(), window.start_s());
        }
    }
    double start_s = window.start_s();
    MPI_Bcast(&start_s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    EXPECT_EQ(start_s, window.start_s());
    const double ahead_s = window.ahead_s();
    window.adapt(0.5);
    EXPECT_GE(window.ahead_s(), ahead_s);
}

/// Rounds of contestants that note the time and start in a window.
struct RoundsInAWindow {
    explicit RoundsInAWindow(std::size_t contestants, bool has_before = false)
        : calls(contestants, [this] { noted_s.push_back(window.now() - window.start_s()); }),
          before(has_before ? contestants : 0, [] {}) {
        rounds.start_in(window);
        rounds.keep_own_times();
    }
    /// Runs one round of two contestants. Returns its samples with the times that each rank has
    /// noted; nothing if the round was dropped. Alike on all ranks.
    Batch run() {
        noted_s.clear();
        return rounds.run(std::vector<int>{0, 1}, 1);
    }
    /// Returns how long call `i` of the last round took on this rank.
    double own_s(const Batch& batch, std::size_t i) const {
        return rounds.own_times()->at(static_cast<std::size_t>(batch.order[i])).back();
    }
    std::vector<double> noted_s;  ///< since the agreed start, one for each call
    GlobalClock clock{MPI_COMM_WORLD, distorted};
    StartWindow window{MPI_COMM_WORLD, clock};
    std::vector<Call> calls, before;
    Rounds rounds{calls, MPI_COMM_WORLD, distorted, *find_synchronisation("dissemination"),
                  1,     before};
};

double last(double time_s) {
    return largest_of_ranks(time_s, MPI_COMM_WORLD);
}
double first(double time_s) {
    return -last(-time_s);
}

/// Differences of times lose digits.
constexpr double rounding_s = 1e-9;

TEST(InAWindow, RoundsWithALateStartAreDropped) {
    RoundsInAWindow tested(2, true);
    const Batch batch = tested.rounds.run(std::vector<int>{0, 1}, 10);
    EXPECT_EQ(batch.rounds() + static_cast<std::size_t>(batch.dropped_rounds), 10U);
    EXPECT_GE(batch.late_starts, batch.dropped_rounds);
    EXPECT_EQ(batch.samples_s.size(), own_rank() == 0 ? batch.order.size() : 0U);
    EXPECT_THAT(batch.samples_s, testing::Each(testing::Gt(0.0)));
}

// A rank that notes a time in a call of a known length has started at most this length before.

TEST(InAWindow, ASampleLastsFromTheFirstStartToTheLastEnd) {
    RoundsInAWindow tested(2);
    for (int round = 0; round < 30; ++round) {
        const Batch batch = tested.run();
        for (std::size_t i = 0; i < batch.order.size(); ++i) {
            const double noted_s = tested.noted_s[i], own_s = tested.own_s(batch, i);
            EXPECT_GE(noted_s, 0.0) << "nobody starts early";
            const double least_s = last(noted_s) - first(noted_s);
            const double most_s = last(noted_s + own_s) - first(noted_s - own_s);
            if (own_rank() > 0) continue;
            EXPECT_GE(batch.samples_s[i], least_s - rounding_s);
            EXPECT_LE(batch.samples_s[i], most_s + rounding_s);
        }
    }
}

TEST(InAWindow, ASampleBeginsWithTheLastOfRanksThatComeOneByOne) {
    RoundsInAWindow tested(2);
    constexpr double step_s = 1e-4;
    tested.rounds.delay_by([](int first, int number) {
        std::vector<double> delays_s;
        for (int k = 0; k < number; ++k) delays_s.push_back(step_s * own_rank() * (first + k));
        return delays_s;
    });
    for (int round = 0; round < 6; ++round) {
        const Batch batch = tested.run();
        for (std::size_t i = 0; i < batch.order.size(); ++i) {
            const double noted_s = tested.noted_s[i], own_s = tested.own_s(batch, i);
            EXPECT_GE(noted_s, step_s * own_rank() * round);
            const double most_s = last(noted_s + own_s) - last(noted_s - own_s);
            if (own_rank() == 0) {
                EXPECT_LE(batch.samples_s[i], most_s + rounding_s);
            }
        }
    }
}

}  // namespace
}  // namespace mpiaudit
