// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/command.h"
#include "text/packed.h"

struct hwloc_topology;  // defined in hwloc.h, which only topology.cpp includes

namespace mpiaudit {

// The machine of an audit as types. This file uses no MPI.

/// The topology of a node by hwloc. Unknown numbers are 0.
struct NodeTopology {
    std::string processor, kernel, c_library;
    std::string hwloc;  ///< version of hwloc; empty: unknown topology
    int packages = 0, numa_nodes = 0, cores = 0, processing_units = 0;
    std::uint64_t memory_bytes = 0;
    std::uint64_t l1_cache_bytes = 0, l2_cache_bytes = 0, l3_cache_bytes = 0;
    /// Relative latencies between NUMA nodes, row by row (numa_nodes x numa_nodes); empty if
    /// unknown.
    std::vector<std::uint64_t> numa_distances;
    bool operator==(const NodeTopology&) const = default;
};

/// Other load of a node and settings of its cores, as far as the kernel tells.
struct NodeConditions {
    std::optional<double> load_average;  ///< over the last minute
    std::optional<double> other_tasks;   ///< mean number of other running or ready tasks
    std::optional<std::string> frequency_governor;
    std::optional<bool> smt;  ///< hardware threads share cores
    bool operator==(const NodeConditions&) const = default;
};

/// Speed of shared memory between two processes of a node, without the MPI library.
struct HostSpeed {
    double handover_s = 0;        ///< seconds until a process sees the other's write
    double copy_bytes_per_s = 0;  ///< copying into shared memory
    bool operator==(const HostSpeed&) const = default;
};

struct Host {
    std::string name;
    std::vector<int> ranks;
    std::optional<NodeTopology> topology = {};      ///< nullopt on a simulated host
    std::optional<NodeConditions> conditions = {};  ///< nullopt on a simulated host
    std::optional<HostSpeed> speed = {};            ///< on the first host only, if it has two ranks
    bool operator==(const Host&) const = default;
};

/// Threads of a process with equal names and processing units.
struct ThreadGroup {
    std::string name;              ///< the kernel's name of the threads, at most 15 bytes
    std::string processing_units;  ///< allowed processing units, as a list like 0-1,4
    int count = 0;
    bool operator==(const ThreadGroup&) const = default;
};

/// The binding of a rank's main thread; mpiaudit binds no other thread.
struct RankBinding {
    int rank = 0;
    std::string host;
    std::string launched_on;  ///< processing units allowed by the launcher, as a list like 0-1,4
    std::string processing_units;  ///< processing units allowed during the audit
    std::string bound_by;          ///< launcher, mpiaudit, nobody, or unknown (unknown topology)
    /// Other threads before the measurement: those of the MPI library.
    std::vector<ThreadGroup> other_threads;
    bool operator==(const RankBinding&) const = default;
};

struct MachineDescription {
    int ranks = 0;
    std::vector<Host> hosts;
    std::vector<RankBinding> bindings;  ///< by rank; none on a simulated machine
    bool operator==(const MachineDescription&) const = default;
};

/// Changes of the machine during the measurement.
struct MachineAfter {
    struct Moved {
        int rank = 0;
        std::int64_t moves = 0;
        bool operator==(const Moved&) const = default;
    };
    struct Threads {
        int rank = 0;
        std::vector<ThreadGroup> other_threads;
        bool operator==(const Threads&) const = default;
    };
    std::map<std::string, NodeConditions> conditions;  ///< by host
    std::vector<Moved> moved_ranks;  ///< ranks that the kernel has moved to another processing unit
    std::vector<int> rebound_ranks;  ///< ranks with a changed binding
    std::vector<Threads> changed_threads;  ///< ranks with changed threads
    std::vector<std::string> warnings;
    bool operator==(const MachineAfter&) const = default;
};

MPIAUDIT_MEMBERS(NodeTopology, (packages, numa_nodes, cores, processing_units, memory_bytes),
                 (processor, kernel, c_library, hwloc, l1_cache_bytes, l2_cache_bytes,
                  l3_cache_bytes, numa_distances))
MPIAUDIT_MEMBERS(NodeConditions, (), (load_average, other_tasks, frequency_governor, smt))
MPIAUDIT_MEMBERS(HostSpeed, (handover_s, copy_bytes_per_s))
MPIAUDIT_MEMBERS(Host, (name, ranks), (topology, conditions, speed))
MPIAUDIT_MEMBERS(ThreadGroup, (name, processing_units, count))
MPIAUDIT_MEMBERS(RankBinding, (rank, host, processing_units, bound_by),
                 (launched_on, other_threads))

template <>
inline constexpr auto members_of<MachineDescription> = [](auto& io, auto& machine) {
    io.required("ranks", machine.ranks, 1);
    MPIAUDIT_REQUIRED(io, machine, hosts, bindings)
};

MPIAUDIT_MEMBERS(MachineAfter::Moved, (rank, moves))
MPIAUDIT_MEMBERS(MachineAfter::Threads, (rank, other_threads))
MPIAUDIT_MEMBERS(MachineAfter, (conditions, moved_ranks, rebound_ranks), (changed_threads))

/// Limits of the processes of a control group together; 0: none.
struct GroupLimits {
    std::string folder;  ///< of the control group; empty: the machine itself
    std::uint64_t memory_bytes = 0;
    double processors = 0.0;  ///< core seconds per second
    bool operator==(const GroupLimits&) const = default;
};

MPIAUDIT_MEMBERS(GroupLimits, (folder, memory_bytes, processors))

/// The outermost caches of a node.
struct OutermostCaches {
    std::uint64_t bytes = 0;  ///< of all of them together
    /// Where the number comes from, in words; empty: from the kernel's description of the caches.
    std::string origin;
    bool operator==(const OutermostCaches&) const = default;
};

MPIAUDIT_MEMBERS(OutermostCaches, (bytes, origin))

/// A rank's report to rank 0 about its host and binding.
struct RankReport : RankBinding {
    std::vector<int> cores;  ///< allowed cores
    int ranks_on_node = 1;
    std::int64_t moves = 0;  ///< moves by the kernel since the rank was first examined
    std::vector<GroupLimits> limits;
    /// Only the first rank of a node sets these members.
    std::optional<NodeTopology> topology;
    std::optional<OutermostCaches> caches;
    std::optional<NodeConditions> conditions;
    bool operator==(const RankReport&) const = default;
};

MPIAUDIT_MEMBERS(RankReport,
                 (host, launched_on, processing_units, bound_by, other_threads, cores,
                  ranks_on_node, moves, limits),
                 (topology, caches, conditions))

/// The launcher and batch job of the audit.
struct Job {
    /// The command that started the ranks, without the program; empty: unknown.
    CommandLine launcher;
    std::optional<std::string> record;  ///< the scheduler's description of job and nodes
    bool operator==(const Job&) const = default;
};

/// Describes the job. Launcher: the variable MPIAUDIT_LAUNCHER, else srun's variables, else the
/// command line of the parent processes. Record: the file named by MPIAUDIT_JOB_RECORD. Adds
/// warnings about a missing record and shared nodes.
Job describe_job(std::vector<std::string>& warnings);

/// Returns the environment variables that control MPI libraries, launchers and schedulers, without
/// a launcher's notes to the ranks of one job.
std::map<std::string, std::string> steering_variables();

/// Returns the processing units on which the calling thread may run, as a list like 0-3,8; "" if
/// unknown.
std::string own_processing_units();

/// Returns the other threads of this process, except the watchdog's thread.
std::vector<ThreadGroup> other_threads();

/// Returns the version of hwloc; "" in a program without hwloc.
std::string hwloc_version();

/// The topology of this rank's node by hwloc, restricted to the processing units that the control
/// group allows. Reading it changes the binding of no thread. Without hwloc the topology is
/// unknown, and no thread can be bound.
class Topology {
  public:
    Topology();

    bool is_known() const { return topology_ != nullptr; }
    int cores() const;       ///< 0 where the topology is not known
    int numa_nodes() const;  ///< 0 where the topology is not known
    /// Returns true if the calling thread may not use some processing unit of the node, or if there
    /// is a single core.
    bool is_bound() const;
    /// Returns the cores on which the calling thread may run, numbered from 0 in hwloc's order.
    std::vector<int> own_cores() const;
    /// Returns the processing units of the calling thread, such as "0-3,8"; empty if unknown.
    std::string binding() const;
    /// Binds the calling thread only to the processing units of binding(); returns false if the
    /// system refuses.
    bool bind(const std::string& processing_units);
    /// Binds the calling thread only to one core; returns false if the system refuses.
    bool bind_to_core(int core);
    /// Binds the calling thread only to the processing units of a NUMA node; returns false if the
    /// system refuses.
    bool bind_to_numa_node(int node);
    NodeTopology describe() const;
    /// Returns the outermost caches of the node. Many virtual machines do not describe them to the
    /// kernel. Then the C library may know one cache, and else 4 MiB for each core are assumed, and
    /// at least 32 MiB.
    OutermostCaches outermost_caches() const;

  private:
    /// Returns the bytes of the outermost caches that hwloc knows; 0: none.
    std::uint64_t described_cache_bytes() const;

    std::unique_ptr<hwloc_topology, void (*)(hwloc_topology*)> topology_;
};

/// Returns the control groups (version 1 and 2) of this process that limit memory or cores, from
/// the mounted group down to its own.
/// \param system the root folder; tests use another one
std::vector<GroupLimits> control_groups(const std::string& system);
/// Returns the limits of the control groups of this process and of the machine.
std::vector<GroupLimits> machine_limits();
/// Returns the smallest memory limit of the machine and the control groups of this process, in
/// bytes.
std::uint64_t machine_memory_bytes();
/// Returns the smallest memory (bytes) available to any rank if the ranks of each control group,
/// and of each host, share its limit equally.
std::uint64_t smallest_share_of_memory(std::span<const RankReport> ranks);
/// Returns a warning "HOST: ..." for each control group with fewer cores than ranks.
std::vector<std::string> quota_warnings(std::span<const RankReport> ranks);

/// The values of `--bind` for ranks that the launcher left unbound: a core each, a NUMA node shared
/// with other ranks, or nothing.
enum class Binding { core, numa, none };

struct PlaceOnNode {
    int rank = 0;
    int ranks = 1;
};

/// Binds the calling thread if requested and possible. Returns who has bound it: launcher,
/// mpiaudit, nobody, or unknown (unknown topology).
std::string bind_main_thread(Topology& topology, Binding binding, const PlaceOnNode& place);

enum class RankOrder {
    block,      ///< each host has an equal number of consecutive ranks; also a single host
    cyclic,     ///< rank r is on host r mod hosts
    irregular,  ///< neither
};

struct RankPlacement {
    int hosts = 0;
    int least_ranks = 0, most_ranks = 0;  ///< ranks per host
    RankOrder order = RankOrder::block;
};

/// Describes the placement of ranks. \param hosts in the order of their first ranks
RankPlacement placement_of(std::span<const Host> hosts);

/// Returns "block", "cyclic" or "irregular".
std::string_view name(RankOrder order);

/// Returns the hosts with their ranks, in the order of their first ranks. \param names host names
/// by rank
std::vector<Host> hosts_of(const std::vector<std::string>& names);

/// Returns MPI's processor names (host names) of all ranks on rank 0, nothing on other ranks.
/// Collective over audited_ranks().
std::vector<std::string> processor_names();
std::string processor_name();

}  // namespace mpiaudit
