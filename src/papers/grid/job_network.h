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

// What the networks of papers add to an audit.

/// The links between the ranks of a job; on ranks other than 0 the grid is empty.
struct JobNetwork : RankNetwork {
    explicit JobNetwork(Grid known) : grid{std::move(known)} {}
    std::vector<std::string> warnings() const override;
    Grid grid;
};

/// From the file or the shipped network that --network names; null where it names none. Collective;
/// throws UsageError on all ranks alike.
std::unique_ptr<const RankNetwork> read_network(const std::string& name);

/// Allgather scheduled from the network between the ranks.
std::vector<Arrow> grid_arrows();

/// `mpiaudit list networks`
void list_networks();
/// `mpiaudit probe`
std::vector<BoundOption> probe_options(Command& command);
int probe_network(const ProbeOptions& options, const Environment& environment);

/// What one process does in a schedule of allgather, whoever made it. The block sizes of a call may
/// differ from those the schedule was made for; that costs time only.
///
/// All receives are posted at the start. A process sends its messages in the order of the schedule,
/// each without waiting for the one before, as soon as it has received what it passes on. No wait
/// is for anything later in the schedule, so there is no deadlock.
class ScheduledAllgather {
  public:
    ScheduledAllgather(const AllgatherSchedule& schedule, int rank);
    /// Of as many processes as the schedule has hosts. \param own MPI_IN_PLACE where the block is
    /// in its place
    void run(const TypedBuffer& own, const Blocks& blocks, const Ranks& ranks) const;

  private:
    struct Part {
        int peer;
        std::vector<int> data;
        std::vector<int> after;  ///< of a send: the receives that its data come with
    };

    std::vector<Part> receives_;
    std::vector<Part> sends_;
};

}  // namespace mpiaudit
