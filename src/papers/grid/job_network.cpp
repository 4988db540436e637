// SPDX-License-Identifier: BSD-3-Clause
#include "grid/job_network.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/additions.h"
#include "files/read_file.h"
#include "machine/placement.h"
#include "mpi/texts.h"
#include "network/network.h"
#include "plan/input_texts.h"

namespace mpiaudit {
namespace {

Network named_network(const std::string& name) {
    const InputTexts::File file = own_or_shipped_file("network", "network", "networks", name);
    return parse_network(file.text, file.origin);
}

}  // namespace

std::unique_ptr<const RankNetwork> read_network(const std::string& name) {
    if (name.empty()) return nullptr;
    const std::vector<std::string> processors = processor_names();
    Grid grid;
    on_rank_0([&] {
        const Network network = named_network(name);
        grid = make_grid(network, place_ranks(network, processors, name));
    });
    return std::make_unique<const JobNetwork>(std::move(grid));
}

std::vector<std::string> JobNetwork::warnings() const {
    if (grid.network.hosts.empty() || !grid.pools.pools.empty()) return {};
    return {fmt::format(
        "the network of --network has one pool: no group of ranks is nearer to each other than to "
        "the rest (bandwidths of {} groups), so Min3_Allgather saves nothing between sites",
        bandwidth_thresholds(sorted_bandwidths(grid.network)).size())};
}

void list_networks() {
    for (const std::string& name : shipped_names("networks")) {
        const std::string title =
            network_title(read_file(shipped_file("networks", name)), name + ".json");
        say_entry(fmt::format("{:<18} ", name), title);
    }
}

}  // namespace mpiaudit
