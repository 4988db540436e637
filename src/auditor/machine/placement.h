// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine_description.h"

namespace mpiaudit {

/// What the kernel says about the node of this rank, in /sys: of the processing units on which it
/// lets this process run at all. Where there is no /sys, as in some containers, each of them is
/// taken for a core.
class Topology {
  public:
    Topology();

    int cores() const { return static_cast<int>(cores_.size()); }
    /// True when this process is kept from some processing unit that it could have, or when there
    /// is one core only.
    bool is_bound() const;
    /// Cores on which this process may run, numbered from 0 in the order of their processing units
    /// within packages.
    std::vector<int> own_cores() const;
    /// Processing units on which the kernel lets this process run, as a list like 0-3,8.
    std::string own_processing_units() const;
    /// Binds this process to one core; false when the system refuses.
    bool bind_to_core(int core);
    int numa_nodes() const { return static_cast<int>(numa_nodes_.size()); }
    /// Binds this process to the processing units of a NUMA node; false when the system refuses.
    bool bind_to_numa_node(int node);
    NodeTopology describe() const;
    /// Of the outermost caches, all together; 0 where none is known.
    std::uint64_t last_level_cache_bytes() const;

  private:
    using ProcessingUnits = std::set<int>;

    ProcessingUnits allowed_;  ///< to this process, whatever it is bound to
    std::vector<ProcessingUnits> cores_, numa_nodes_;
    std::set<int> packages_;
};

/// Bytes of memory of the node, or the limit of its control group where that is lower.
std::uint64_t machine_memory_bytes();

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
