// SPDX-License-Identifier: BSD-3-Clause
#include "plan/job_network.h"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>

#include "plan/inputs.h"
#include "mpi/environment.h"
#include "network/network_file.h"
#include "text/nearest_name.h"

namespace mpiaudit {
namespace {

Network named_network(const std::string& name) {
    if (name.find('/') != std::string::npos || name.ends_with(".json"))
        return parse_network(read_file(name), name);
    const std::vector<std::string> valid = shipped_names("networks");
    if (std::ranges::find(valid, name) == valid.end())
        throw UsageError(fmt::format("--network: {} (own files: with path or .json)",
                                     unknown_name("network", name, valid)));
    return parse_network(read_file(shipped_file("networks", name)), name + ".json");
}

}  // namespace

std::vector<std::string> processor_names() {
    int rank = 0, ranks = 1, length = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::array<char, MPI_MAX_PROCESSOR_NAME> own{};
    MPI_Get_processor_name(own.data(), &length);
    std::vector<char> all(rank == 0 ? static_cast<std::size_t>(ranks) * own.size() : 0);
    MPI_Gather(own.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, all.data(), MPI_MAX_PROCESSOR_NAME,
               MPI_CHAR, 0, MPI_COMM_WORLD);
    std::vector<std::string> names;
    for (std::size_t at = 0; at < all.size(); at += own.size()) names.emplace_back(&all[at]);
    return names;
}

std::unique_ptr<const Scheduler> read_network(const RunOptions& options) {
    if (options.network.empty()) return nullptr;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const std::vector<std::string> processors = processor_names();
    Grid grid;
    std::string message;
    if (rank == 0) {
        try {
            const Network network = named_network(options.network);
            grid = make_grid(network, place_ranks(network, processors, options.network));
        } catch (const std::invalid_argument& error) {
            message = error.what();
        }
    }
    message = broadcast(message);
    if (!message.empty()) throw UsageError(message);
    return std::make_unique<const Scheduler>(std::move(grid), schedule_folder());
}

std::vector<std::string> network_warnings(const Scheduler& scheduler) {
    const Grid& grid = scheduler.grid();
    if (grid.network.hosts.empty() || !grid.pools.pools.empty()) return {};
    return {fmt::format(
        "the network of --network has one pool: no group of ranks is nearer to each other than to "
        "the rest (bandwidths of {} groups), so Min3_Allgather saves nothing between sites",
        bandwidth_thresholds(grid.network).size())};
}

}  // namespace mpiaudit
