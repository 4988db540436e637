// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "timing/global_clock.h"

namespace mpiaudit {

/// How the ranks are brought together before each sample.
struct Synchronisation {
    std::string_view name;
    void (*wait)(MPI_Comm comm);
    bool is_native() const { return name == "barrier"; }
};

/// "barrier": the library's MPI_Barrier. "dissemination": our own barrier of ceil(log2 p) rounds,
/// the same for every library. Only in a simulation, "simultaneous": all ranks start at the same
/// instant, without messages.
std::optional<Synchronisation> find_synchronisation(std::string_view name);
std::vector<std::string> synchronisation_names();

/// A way to take samples, as `--sync` names them: after a barrier of that name; in a window of the
/// global clock ("global"); or the first way and then the other ("both": MPI_Barrier and global).
struct SampleStarts {
    Synchronisation barrier;  ///< also precedes what is not timed in a window
    bool after_barrier;
    bool in_window;
};
std::optional<SampleStarts> find_sample_starts(std::string_view name);
std::vector<std::string> sample_start_names();

/// Brings the ranks together at an agreed time of the global clock, as in window-based process
/// synchronisation: rank 0 announces a start that lies far enough ahead for the announcement to
/// arrive everywhere, and everyone waits for it.
class StartWindow {
  public:
    /// Measures how long an announcement takes to arrive. Collective.
    StartWindow(MPI_Comm comm, GlobalClock& clock);

    /// Returns at the agreed time, or at once and with false when it has passed already: a late
    /// start. Collective. \param delay_s of this rank after that time
    bool wait(double delay_s = 0.0);
    /// Announces further ahead when more than a tenth of the starts were late, much further when
    /// most were, and nearer when none was. To be called alike on all ranks.
    void adapt(double late_share);
    /// As StartWindow's clock: how far off this rank's may be.
    double clock_error_s() const { return clock_->error_s(); }

    double now() const { return clock_->now(); }
    /// The start that was agreed on last, in global time.
    double start_s() const { return start_s_; }
    double ahead_s() const { return ahead_s_; }

  private:
    /// Everybody's distance to the announced start on arrival; negative when it has passed.
    double arrive();

    MPI_Comm comm_;
    GlobalClock* clock_;
    double ahead_s_;
    double start_s_ = 0.0;
};

}  // namespace mpiaudit
