// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

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
    double global(double local_s) const {
        return local_s + offset_s + drift * (local_s - origin_s);
    }
};

/// Least squares through the points whose round trip was not disturbed (at most twice the
/// shortest). The drift is 0 where the points are too close together in time to tell. \param points
/// at least one
ClockModel fit(std::span<const OffsetPoint> points);

/// How well the clocks of all ranks agree; the same on all ranks.
struct ClockAgreement {
    double error_s = 0.0;       ///< largest deviation from rank 0 that an independent check saw
    double round_trip_s = 0.0;  ///< of that check: half of it is how far it may be wrong itself
    double drift = 0.0;         ///< largest drift, as a share
};

/// The clock of rank 0 on all ranks: hierarchical clock synchronisation as in Hunold and
/// Carpen-Amarie (Hierarchical Clock Synchronization in MPI, CLUSTER 2018). The first ranks of the
/// nodes learn the clock of rank 0 from each other, then the ranks of each node from the first one.
/// In ceil(log2 n) steps each time, since who has learnt teaches on: a teacher answers with global
/// time, so that no models have to be composed.
class GlobalClock {
  public:
    /// Synchronises, which takes about 0.1 s for each step. Collective over `comm`.
    GlobalClock(MPI_Comm comm, Clock local);

    /// Adds one comparison to those that the models rest on, so that drift is followed over the
    /// whole audit. Collective; well below a millisecond for each step.
    void refresh();
    /// Compares every rank with rank 0 directly, whoever taught it. Collective.
    ClockAgreement check();

    double now() const { return model_.global(local_.now()); }

  private:
    void learn(int points);
    void learn_over(MPI_Comm comm, int points);

    OwnedComm all_, node_, leaders_;
    Clock local_;
    ClockModel model_;
    std::vector<OffsetPoint> points_;
};

}  // namespace mpiaudit
