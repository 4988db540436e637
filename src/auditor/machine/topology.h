// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/machine_description.h"

namespace mpiaudit {

/// What hwloc and the kernel say about the node of this rank.
class Topology {
  public:
    Topology();
    ~Topology();
    Topology(const Topology&) = delete;
    Topology& operator=(const Topology&) = delete;

    int cores() const;
    /// True when the kernel keeps this process from some processing unit of the node, or when there
    /// is one core only.
    bool is_bound() const;
    /// Cores on which this process may run, as logical indices of hwloc.
    std::vector<int> own_cores() const;
    /// Processing units on which the kernel lets this process run, as a list like 0-3,8.
    std::string own_processing_units() const;
    /// Binds this process to one core; false when the system refuses.
    bool bind_to_core(int core);
    int numa_nodes() const;
    /// Binds this process to the processing units of a NUMA node; false when the system refuses.
    bool bind_to_numa_node(int node);
    NodeTopology describe() const;
    /// Of the outermost caches, all together; 0 where none is known.
    std::uint64_t last_level_cache_bytes() const;

  private:
    struct State;
    State* state_;
};

/// Of the library that knows the topology.
std::string hwloc_version();

/// Bytes of memory of the node, or the limit of its control group where that is lower.
std::uint64_t machine_memory_bytes();

}  // namespace mpiaudit
