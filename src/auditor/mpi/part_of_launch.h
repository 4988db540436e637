// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

#include "messages/owned.h"

namespace mpiaudit {

/// Returns the communicator of the ranks that audit: those of the living PartOfLaunch, else
/// MPI_COMM_WORLD. Code that needs the world of the audit uses this communicator.
MPI_Comm audited_ranks();

/// While this object lives, only some ranks of the launch audit. The other ranks sleep in end().
class PartOfLaunch {
  public:
    /// Collective over MPI_COMM_WORLD; ranks outside the part do not wait.
    /// \param ranks in MPI_COMM_WORLD, ascending, with rank 0
    explicit PartOfLaunch(std::vector<int> ranks);
    ~PartOfLaunch();
    PartOfLaunch(const PartOfLaunch&) = delete;
    PartOfLaunch& operator=(const PartOfLaunch&) = delete;

    /// Returns whether this rank audits.
    bool has_this_rank() const { return has_this_rank_; }
    /// Ends the part. Ranks outside the part sleep here until rank 0 arrives; a signal that such a
    /// rank gets reaches rank 0 at once. Returns the signal that any rank has received, or 0.
    /// Collective over MPI_COMM_WORLD.
    int end();

  private:
    void sleep_until_end();
    void wake_others() const;
    void receive_late_signals() const;

    std::vector<int> ranks_;
    bool has_this_rank_;
    bool has_told_ = false;  ///< this rank has sent its signal to rank 0
    OwnedComm comm_;         ///< empty on ranks outside the part
};

}  // namespace mpiaudit
