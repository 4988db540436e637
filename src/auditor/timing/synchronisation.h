// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "timing/global_clock.h"

namespace mpiaudit {

/// Brings the ranks together before each sample.
struct Synchronisation {
    std::string_view name;
    void (*wait)(MPI_Comm comm);  ///< collective
    /// Returns true for the barrier of the MPI library.
    bool is_native() const { return name == "barrier"; }
};

/// Returns "barrier" (the library's MPI_Barrier), "dissemination" (our own barrier of ceil(log2 p)
/// rounds) or, in a simulation only, "simultaneous" (all ranks start at the same instant, without
/// messages); nullopt for other names.
std::optional<Synchronisation> find_synchronisation(std::string_view name);
/// Returns the names that find_synchronisation() knows.
std::vector<std::string> synchronisation_names();

/// How samples start, as `--sync` names the ways: after a synchronisation, or in a window of the
/// global clock ("global").
struct SampleStarts {
    Synchronisation barrier;  ///< in a window: precedes the calls that are not timed
    bool in_window;
};
/// Returns the way of this name: one of synchronisation_names(), or "global", whose barrier is the
/// library's. Returns nullopt for other names.
std::optional<SampleStarts> find_sample_starts(std::string_view name);
/// Returns the names that find_sample_starts() knows.
std::vector<std::string> sample_start_names();

/// Brings the ranks together at an agreed time of the global clock, as in window-based process
/// synchronisation: rank 0 announces a start far enough ahead for the announcement to reach all
/// ranks, and all ranks wait for the start.
class StartWindow {
  public:
    /// Measures the time that an announcement needs. `clock` must outlive this object. Collective.
    StartWindow(MPI_Comm comm, GlobalClock& clock);

    /// Agrees on a start. Waits for this time and returns true; returns false at once if the time
    /// has passed on this rank (late start), which other ranks do not learn. Collective.
    /// \param delay_s wait of this rank after the agreed time
    bool wait(double delay_s = 0.0);
    /// Makes later announcements further ahead if more than a tenth of the starts were late, much
    /// further if most were, and nearer if none was; from 2 us to 1 s ahead. Call this function
    /// with equal values on all ranks.
    void adapt(double late_share);
    /// Returns the possible error of this rank's global time (s).
    double clock_error_s() const { return clock_->error_s(); }

    /// Returns the global time (s).
    double now() const { return clock_->now(); }
    /// Returns the last agreed start in global time (s).
    double start_s() const { return start_s_; }
    /// Returns the time (s) from an announcement to its start; equal on all ranks.
    double ahead_s() const { return ahead_s_; }

  private:
    /// Agrees on a start. Returns this rank's time until the start (s), negative if it has passed.
    double arrive();

    MPI_Comm comm_;
    GlobalClock* clock_;
    double ahead_s_;
    double start_s_ = 0.0;
};

}  // namespace mpiaudit
