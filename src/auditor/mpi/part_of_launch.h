// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "messages/owned.h"

namespace mpiaudit {

/// Returns the communicator of the ranks that audit together with this rank: those of the living
/// PartOfLaunch, else MPI_COMM_WORLD. Code that needs the world of the audit uses this
/// communicator.
MPI_Comm audited_ranks();

/// While this object lives, only some ranks of the launch audit. Other groups of ranks may repeat,
/// as load, what these ranks measure. All other ranks sleep in end().
class PartOfLaunch {
  public:
    using Ranks = std::vector<int>;  ///< in MPI_COMM_WORLD, ascending

    /// Collective over MPI_COMM_WORLD; ranks that sleep do not wait.
    /// \param measured ranks that audit, with rank 0
    /// \param load groups of other ranks
    explicit PartOfLaunch(Ranks measured, std::vector<Ranks> load = {});
    ~PartOfLaunch();
    PartOfLaunch(const PartOfLaunch&) = delete;
    PartOfLaunch& operator=(const PartOfLaunch&) = delete;

    /// Returns the living part; null if all ranks audit.
    static PartOfLaunch* living();

    /// Returns whether the audit measures this rank.
    bool is_measured() const { return group_ == 0; }
    /// Returns whether this rank is in a group that repeats what the part measures.
    bool is_load() const { return group_ > 0; }
    /// Returns the number of groups, that of the measured ranks included.
    std::size_t groups() const { return groups_.size(); }
    /// Returns the place of this rank among the ranks of all groups on its host, and their number.
    int place_on_host() const { return place_on_host_; }
    int ranks_on_host() const { return ranks_on_host_; }

    /// Starts a load: makes next_load() return `order`, which is not empty. Only rank 0 of the
    /// launch acts.
    void begin_load(const std::string& order) const;
    /// Ends the load: the function interruption::received() returns a signal in each group.
    void end_load() const;
    /// Waits for the next load, asleep. Returns its order; nullopt at the end of the part. For
    /// ranks that are not measured.
    std::optional<std::string> next_load();
    /// Waits for end_load(), asleep, unless it has come already. For ranks that are not measured.
    void wait_for_end_of_load();

    /// Ends the part. Ranks outside the part sleep here until rank 0 arrives; a signal that such a
    /// rank gets reaches rank 0 at once. Returns the signal that any rank has received, or 0.
    /// Collective over MPI_COMM_WORLD.
    int end();

  private:
    bool leads_load() const;
    void find_place_on_host();
    void sleep();
    void receive_late_signals() const;

    std::vector<Ranks> groups_;
    int group_ = -1;  ///< of this rank in `groups_`; -1: this rank sleeps
    int place_on_host_ = 0, ranks_on_host_ = 1;
    bool has_told_ = false;   ///< this rank has sent its signal to rank 0
    bool has_ended_ = false;  ///< rank 0 has told this rank that the part has ended
    OwnedComm comm_;          ///< of the group; empty on ranks that sleep
};

}  // namespace mpiaudit
