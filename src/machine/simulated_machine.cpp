// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "collectives/gather/gather.h"
#include "machine/machine.h"
#include "machine/topology.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

using HostName = std::array<char, MPI_MAX_PROCESSOR_NAME>;

std::vector<HostName> host_names(int ranks) {
    HostName own{};
    int length = 0;
    MPI_Get_processor_name(own.data(), &length);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<HostName> names(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
    const auto bytes = static_cast<int>(own.size());
    binomial_Gather(own.data(), bytes, MPI_CHAR, names.data(), bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    return names;
}

/// The ranks of each host, in the order of their first ranks.
json hosts_json(const std::vector<HostName>& names) {
    json hosts = json::array();
    std::map<std::string, std::size_t> place;
    for (std::size_t rank = 0; rank < names.size(); ++rank) {
        const std::string name = names[rank].data();
        if (place.try_emplace(name, hosts.size()).second)
            hosts.push_back({{"name", name}, {"ranks", json::array()}});
        hosts[place[name]]["ranks"].push_back(rank);
    }
    return hosts;
}

}  // namespace

Machine examine_simulated_machine() {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::vector<HostName> names = host_names(ranks);
    Machine machine;
    if (rank == 0)
        machine.description_json =
            json{{"ranks", ranks}, {"hosts", hosts_json(names)}, {"bindings", json::array()}}
                .dump();
    machine.memory_per_rank_bytes = machine_memory_bytes() / 2;
    return machine;
}

}  // namespace mpiaudit
