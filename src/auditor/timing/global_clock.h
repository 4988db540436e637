// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cmath>
#include <span>
#include <vector>

#include "messages/owned.h"
#include "timing/clock.h"

namespace mpiaudit {

/// One comparison of two clocks.
struct OffsetPoint {
    double local_s;       ///< of the local clock, in the middle of the exchange
    double offset_s;      ///< the other clock minus the local one
    double round_trip_s;  ///< the true offset lies within half of it
};

/// The other clock as a linear function of the local one, over which it drifts.
struct ClockModel {
    double origin_s = 0.0;
    double offset_s = 0.0;  ///< at the origin
    double drift = 0.0;     ///< seconds per second
    /// Three standard errors, from the scatter of the points: of the offset at the origin, and of
    /// the drift. What all exchanges have in common, a way there that is longer than the way back,
    /// is not seen in them: half a round trip bounds it.
    double offset_error_s = 0.0, drift_error = 0.0;

    double global(double local_s) const {
        return local_s + offset_s + drift * (local_s - origin_s);
    }
    double error_s(double local_s) const {
        return offset_error_s + drift_error * std::abs(local_s - origin_s);
    }
};

/// What two clocks count: processes of one node count the same oscillations, so that they do not
/// drift apart unless the points show it.
enum class Oscillators { same, different };

/// Least squares through the points whose round trip was not disturbed (at most twice the
/// shortest). The drift is 0 where the points do not show one: where it is not three times as large
/// as its standard error. \param points at least one
ClockModel fit(std::span<const OffsetPoint> points, Oscillators oscillators);

/// A model of rank 0's clock from one of the teacher's clock and the teacher's model.
ClockModel compose(const ClockModel& to_teacher, const ClockModel& of_teacher);

/// Leaves out the oldest points as long as the line misses the newest point by more than half of
/// its round trip: the true offset lies within it, so the drift is another one by now.
void forget_refuted(std::vector<OffsetPoint>& points, Oscillators oscillators);

/// How well the clocks of all ranks agree; the same on all ranks.
struct ClockAgreement {
    double error_s = 0.0;       ///< largest deviation from rank 0 that an independent check saw
    double round_trip_s = 0.0;  ///< of that check: half of it is how far it may be wrong itself
    double drift = 0.0;         ///< largest drift, as a share
};

/// The clock of rank 0 on all ranks: hierarchical clock synchronisation as in Hunold and
/// Carpen-Amarie (Hierarchical Clock Synchronization in MPI, CLUSTER 2018). The first ranks of the
/// nodes learn the clock of rank 0 from each other, then the ranks of each node from the first one.
/// In ceil(log2 n) steps each time, since who has learnt teaches on. Points compare the clocks
/// themselves, so that those of all steps are taken over the same time; models are composed.
class GlobalClock {
  public:
    /// Synchronises: 0.1 s where clocks count the same oscillations, between nodes until the drifts
    /// are known well enough to wait a second for the next comparison, at most some seconds.
    /// Collective over `comm`.
    GlobalClock(MPI_Comm comm, Clock local);

    /// Adds comparisons to those that the models rest on, so that drift is followed over the whole
    /// audit, and returns how far off the models were: error_s is at most the sum over the steps.
    /// Collective; some milliseconds for each step at most.
    ClockAgreement refresh();
    /// Whether the last refresh was so long ago that it is time for another one: a second, or so
    /// long that refreshing takes 2 % of the time. To be asked on one rank.
    bool is_due() const;
    /// Compares every rank with rank 0 directly, whoever taught it. Collective.
    ClockAgreement check();

    double now() const { return model_.global(local_.now()); }
    /// How far now() may be from rank 0's clock on this rank, by the scatter of the comparisons.
    double error_s() const { return model_.error_s(local_.now()); }

  private:
    /// One comparison of each rank with its teacher.
    void compare();
    void compare_over(MPI_Comm comm);
    /// Makes the models, from rank 0 on. Returns how far the own one was off at most.
    double fit_models(double own_deviation_s);
    double propagate_models(MPI_Comm comm, double deviation_s);
    bool wants_longer_base() const;

    OwnedComm all_, node_, leaders_;
    Clock local_;
    Oscillators oscillators_;  ///< of the own clock and the teacher's
    ClockModel to_teacher_, model_;
    std::vector<OffsetPoint> points_;
    double last_refresh_s_ = 0.0, refresh_took_s_ = 0.0;
};

}  // namespace mpiaudit
