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
    double local_s;       ///< local time in the middle of the exchange
    double offset_s;      ///< other clock minus local clock
    double round_trip_s;  ///< the true offset is within half of the round trip of offset_s
};

/// The other clock as a linear function of the local clock.
struct ClockModel {
    double origin_s = 0.0;
    double offset_s = 0.0;  ///< offset at the origin
    double drift = 0.0;     ///< seconds per second
    /// Three standard errors of the offset at the origin and of the drift, from the scatter of the
    /// points. The scatter does not show asymmetry (a way there longer than the way back), which
    /// half a round trip bounds.
    double offset_error_s = 0.0, drift_error = 0.0;

    double global(double local_s) const {
        return local_s + offset_s + drift * (local_s - origin_s);
    }
    double error_s(double local_s) const {
        return offset_error_s + drift_error * std::abs(local_s - origin_s);
    }
};

/// Two clocks count the same or different oscillations. Clocks of one node count the same, so they
/// do not drift apart unless the points show drift.
enum class Oscillators { same, different };

/// Fits a line by least squares through the undisturbed points, whose round trip is at most twice
/// the shortest one. The drift is 0 unless it exceeds three standard errors.
/// \param points at least one
ClockModel fit(std::span<const OffsetPoint> points, Oscillators oscillators);

/// Returns a model of rank 0's clock from a model of the teacher's clock and the teacher's model.
ClockModel compose(const ClockModel& to_teacher, const ClockModel& of_teacher);

/// Drops the oldest points while the line misses the newest point by more than half of its round
/// trip: the true offset lies within half of the round trip, so the drift has changed.
void forget_refuted(std::vector<OffsetPoint>& points, Oscillators oscillators);

/// Agreement of the clocks of all ranks, equal on all ranks.
struct ClockAgreement {
    double error_s = 0.0;  ///< largest deviation from rank 0 that a comparison saw
    /// Largest round trip of these comparisons; error_s is uncertain by half of it.
    double round_trip_s = 0.0;
    double drift = 0.0;  ///< largest drift in seconds per second
};

/// The clock of rank 0 on all ranks: hierarchical clock synchronisation as in Hunold and
/// Carpen-Amarie (Hierarchical Clock Synchronization in MPI, CLUSTER 2018). The first ranks of the
/// nodes measure their offsets to each other, then the ranks of each node to its first rank. Both
/// levels use a binomial tree of ceil(log2 n) steps: a rank that knows its teacher's clock teaches
/// others. All steps compare local clocks, so the comparisons of all steps span the same time;
/// models are composed along the tree.
class GlobalClock {
  public:
    /// How long the clock is used.
    enum class Base {
        audit,  ///< drifts are measured and followed
        moment  ///< a fraction of a second, in which drifts do not matter
    };
    /// Synchronises. Takes 0.1 s on one node; between nodes continues until the drifts are known
    /// well enough for a second without comparison, at most some seconds. For a moment, takes a few
    /// comparisons. Collective over `comm`.
    GlobalClock(MPI_Comm comm, Clock local, Base base = Base::audit);

    /// Adds comparisons to the models, so that drift is followed over the whole audit. Returns the
    /// error of the models before the refresh: error_s is at most the sum over the steps. Takes at
    /// most some milliseconds per step. Collective.
    ClockAgreement refresh();
    /// Returns true if the last refresh is a second ago, or longer if refreshing took more than 2 %
    /// of the time. Call this function on one rank.
    bool is_due() const;
    /// Compares every rank's global time with rank 0's directly, without the tree. Collective.
    ClockAgreement check();

    double now() const { return model_.global(local_.now()); }
    /// Returns the possible error (s) of now() on this rank, from the scatter of the comparisons.
    double error_s() const { return model_.error_s(local_.now()); }

  private:
    /// Compares each rank's clock with its teacher's clock once.
    void compare();
    /// Compares clocks along the binomial tree of a communicator.
    void compare_over(MPI_Comm comm);
    /// Fits each rank's model to its teacher's clock and composes the models down the tree from
    /// rank 0. Returns own_deviation_s plus those of all teachers (s).
    double fit_models(double own_deviation_s);
    /// Sends models and deviations down the binomial tree of a communicator. Returns deviation_s
    /// plus those of the teachers on the way (s).
    double propagate_models(MPI_Comm comm, double deviation_s);
    bool wants_longer_base() const;

    OwnedComm all_, node_, leaders_;
    Clock local_;
    Oscillators oscillators_;  ///< of this rank's clock and its teacher's
    ClockModel to_teacher_, model_;
    std::vector<OffsetPoint> points_;
    double last_refresh_s_ = 0.0, refresh_took_s_ = 0.0;
};

}  // namespace mpiaudit
