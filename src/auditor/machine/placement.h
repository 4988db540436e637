// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine_description.h"
#include "machine/topology.h"

namespace mpiaudit {

/// What `--bind` may do to ranks that the launcher left unbound: a core each, a NUMA node shared
/// with its other ranks, or nothing.
enum class Binding { core, numa, none };
std::optional<Binding> find_binding(std::string_view name);
std::vector<std::string> binding_names();

/// A rank among those of its node.
struct PlaceOnNode {
    int rank = 0;
    int ranks = 1;
};

/// Binds this process if it should be and can be, and says who has bound it: launcher, mpiaudit or
/// nobody.
std::string bind_process(Topology& topology, Binding binding, const PlaceOnNode& place);

/// How the ranks lie on the hosts.
enum class RankOrder {
    block,   ///< those of a host follow each other, and there are as many on each; also of one host
    cyclic,  ///< rank r is on host r mod hosts
    irregular,  ///< neither
};

struct RankPlacement {
    int hosts = 0;
    int least_ranks = 0, most_ranks = 0;  ///< of a host
    RankOrder order = RankOrder::block;
};

/// \param hosts in the order of their first ranks
RankPlacement placement_of(std::span<const Host> hosts);

/// block, cyclic, irregular
std::string_view name(RankOrder order);

/// Their names and ranks, in the order of their first ranks. \param names by rank
std::vector<Host> hosts_of(const std::vector<std::string>& names);

/// The names of the processors of all ranks as MPI tells them, which are those of hosts; on rank 0,
/// elsewhere nothing. Collective over MPI_COMM_WORLD.
std::vector<std::string> processor_names();
/// Of this rank alone.
std::string processor_name();

}  // namespace mpiaudit
