// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "catalogue/arrow.h"
#include "collectives/call/blocks.h"
#include "collectives/call/ranks.h"
#include "mpi/environment.h"
#include "options/option_row.h"
#include "options/options.h"
#include "schedule/grid.h"
#include "schedule/schedule.h"

namespace mpiaudit {

struct ProbeOptions {
    std::string output = "network.json";
    bool overwrite = false;
    std::string between = "hosts";
    AsGiven<Sizes> bytes = "1,1Ki,16Ki,256Ki";
    AsGiven<Bytes> largest = "4Mi";
    int rounds = 10;
    AsGiven<Clock> clock = "mpi";
};

// Networks of papers for an audit.

/// The links between the ranks of a job; the grid is empty on ranks other than 0.
struct JobNetwork : RankNetwork {
    explicit JobNetwork(Grid known) : grid{std::move(known)} {}
    std::vector<std::string> warnings() const override;
    Grid grid;
};

/// Reads the file or shipped network that --network names; returns null for an empty name. Throws
/// UsageError on all ranks alike. Collective.
std::unique_ptr<const RankNetwork> read_network(const std::string& name);

/// Returns the allgathers that are scheduled from the network between the ranks.
std::vector<Arrow> grid_arrows();

/// Prints the lines of `mpiaudit list networks`.
void list_networks();
/// The options of `mpiaudit probe`, and the command.
std::vector<BoundOption> probe_options(Command& command);
int probe_network(const ProbeOptions& options, const Environment& environment);

/// One process's part of an allgather schedule. Other block sizes than those of the schedule cost
/// time only.
///
/// All receives are posted at the start. A process sends its messages in the order of the schedule,
/// without waiting for earlier sends, as soon as it has received the data to pass on. No wait is
/// for a later message of the schedule, so there is no deadlock.
class ScheduledAllgather {
  public:
    ScheduledAllgather(const AllgatherSchedule& schedule, int rank);
    /// Runs the allgather on as many processes as the schedule has hosts. \param own own block, or
    /// MPI_IN_PLACE if the block is in `blocks` already
    void run(const TypedBuffer& own, const Blocks& blocks, const Ranks& ranks) const;

  private:
    struct Part {
        int peer;
        std::vector<int> data;
        std::vector<int> after;  ///< for a send: receives that bring its data
    };

    std::vector<Part> receives_;
    std::vector<Part> sends_;
};

}  // namespace mpiaudit
