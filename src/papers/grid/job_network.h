// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "catalogue/arrow.h"
#include "mpi/environment.h"
#include "options/option_row.h"
#include "options/options.h"
#include "schedule/grid.h"

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

}  // namespace mpiaudit
