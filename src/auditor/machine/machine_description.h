// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/packed.h"

namespace mpiaudit {

// What an audit says about the machine that it ran on. No MPI here.

/// What the kernel says about a node. Sizes that it does not know are 0.
struct NodeTopology {
    std::string processor, kernel, c_library;
    int packages = 0, numa_nodes = 0, cores = 0, processing_units = 0;
    std::uint64_t memory_bytes = 0;
    std::uint64_t l1_cache_bytes = 0, l2_cache_bytes = 0, l3_cache_bytes = 0;
    bool operator==(const NodeTopology&) const = default;
};

/// What else a node does and how its processors are set, as far as the kernel tells.
struct NodeConditions {
    std::optional<double> load_average;  ///< of the last minute
    std::optional<double> other_tasks;   ///< of other programs, running or ready to run; mean
    std::optional<std::string> frequency_governor;
    std::optional<bool> smt;  ///< processor threads share cores
    bool operator==(const NodeConditions&) const = default;
};

/// Of shared memory between two processes of a node, without the MPI library.
struct HostSpeed {
    double handover_s = 0;        ///< until the other one sees what one has written; seconds
    double copy_bytes_per_s = 0;  ///< of one process into memory that both share
    bool operator==(const HostSpeed&) const = default;
};

struct Host {
    std::string name;
    std::vector<int> ranks;
    std::optional<NodeTopology> topology = {};      ///< none of a simulated host
    std::optional<NodeConditions> conditions = {};  ///< likewise
    std::optional<HostSpeed> speed = {};            ///< of the first host, if two ranks are on it
    bool operator==(const Host&) const = default;
};

struct RankBinding {
    int rank = 0;
    std::string host;
    std::string launched_on;       ///< where the launcher let the rank run, as a list like 0-1,4
    std::string processing_units;  ///< where the kernel lets it run during the audit
    std::string bound_by;          ///< launcher, mpiaudit or nobody
    bool operator==(const RankBinding&) const = default;
};

struct MachineDescription {
    int ranks = 0;
    std::vector<Host> hosts;
    std::vector<RankBinding> bindings;  ///< by rank; none of a simulated machine
    bool operator==(const MachineDescription&) const = default;
};

/// What had changed when the measurement had ended.
struct MachineAfter {
    struct Moved {
        int rank = 0;
        std::int64_t moves = 0;
        bool operator==(const Moved&) const = default;
    };
    std::map<std::string, NodeConditions> conditions;  ///< by host
    std::vector<Moved> moved_ranks;  ///< that the kernel has moved to another processing unit
    std::vector<int> rebound_ranks;  ///< whose binding is another one than before
    std::vector<std::string> warnings;
    bool operator==(const MachineAfter&) const = default;
};

MPIAUDIT_MEMBERS(NodeTopology, (packages, numa_nodes, cores, processing_units, memory_bytes),
                 (processor, kernel, c_library, l1_cache_bytes, l2_cache_bytes, l3_cache_bytes))
MPIAUDIT_MEMBERS(NodeConditions, (), (load_average, other_tasks, frequency_governor, smt))
MPIAUDIT_MEMBERS(HostSpeed, (handover_s, copy_bytes_per_s))
MPIAUDIT_MEMBERS(Host, (name, ranks), (topology, conditions, speed))
MPIAUDIT_MEMBERS(RankBinding, (rank, host, processing_units, bound_by), (launched_on))

template <>
inline constexpr auto members_of<MachineDescription> = [](auto& io, auto& machine) {
    io.required("ranks", machine.ranks, 1);
    MPIAUDIT_REQUIRED(io, machine, hosts, bindings)
};

MPIAUDIT_MEMBERS(MachineAfter::Moved, (rank, moves))
MPIAUDIT_MEMBERS(MachineAfter, (conditions, moved_ranks, rebound_ranks))

/// What a rank tells rank 0 about where it runs.
struct RankReport : RankBinding {
    std::vector<int> cores;  ///< on which the rank may run
    int ranks_on_node = 1;
    std::int64_t moves = 0;  ///< by the kernel since the rank was looked at first
    /// From the first rank of a node only.
    std::optional<NodeTopology> topology;
    std::optional<NodeConditions> conditions;
    bool operator==(const RankReport&) const = default;
};

MPIAUDIT_MEMBERS(RankReport,
                 (host, launched_on, processing_units, bound_by, cores, ranks_on_node, moves),
                 (topology, conditions))

/// How a batch system runs the audit, as its job script tells.
struct Job {
    std::optional<std::string> launcher;  ///< the command that started the ranks
    std::optional<std::string> record;    ///< what the scheduler says about job and nodes
    bool operator==(const Job&) const = default;
};

/// The launcher from the variable MPIAUDIT_LAUNCHER, else from what srun tells its tasks; the
/// record from the file that MPIAUDIT_JOB_RECORD names; empty without them. What makes the times
/// less trustworthy is added to the warnings.
Job describe_job(std::vector<std::string>& warnings);

/// The variables of this process that steer MPI libraries, launchers and schedulers, without what a
/// launcher tells its ranks about this one job.
std::map<std::string, std::string> steering_variables();

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
