// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

#include "messages/owned.h"

namespace mpiaudit {

/// Returns the communicator of the ranks that audit together with this rank: those of the living
/// PartOfLaunch, else MPI_COMM_WORLD. Code that needs the world of the audit uses this
/// communicator.
MPI_Comm audited_ranks();

/// While this object lives, only some ranks of the launch audit. All other ranks sleep in end().
class PartOfLaunch {
  public:
    using Ranks = std::vector<int>;  ///< in MPI_COMM_WORLD, ascending

    /// Collective over MPI_COMM_WORLD; ranks that sleep do not wait.
    /// \param measured ranks that audit, with rank 0
    explicit PartOfLaunch(Ranks measured);
    ~PartOfLaunch();
    PartOfLaunch(const PartOfLaunch&) = delete;
    PartOfLaunch& operator=(const PartOfLaunch&) = delete;

    /// Returns whether the audit measures this rank.
    bool is_measured() const { return is_measured_; }
    /// Ends the part. Ranks outside the part sleep here until rank 0 arrives; a signal that such a
    /// rank gets reaches rank 0 at once. Returns the signal that any rank has received, or 0.
    /// Collective over MPI_COMM_WORLD.
    int end();

  private:
    void sleep();
    void sleep_until_the_end();
    void receive_late_signals() const;

    Ranks measured_;
    bool is_measured_;
    bool has_told_ = false;  ///< this rank has sent its signal to rank 0
    OwnedComm comm_;         ///< of the measured ranks; empty on ranks that sleep
};

}  // namespace mpiaudit
