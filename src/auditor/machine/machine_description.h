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

struct hwloc_topology;  // of hwloc.h, which only topology.cpp includes

namespace mpiaudit {

// What an audit says about the machine that it ran on. No MPI here.

/// What hwloc says about a node. Numbers that hwloc does not know are 0.
struct NodeTopology {
    std::string processor, kernel, c_library;
    std::string hwloc;  ///< the version of hwloc; empty: the topology is not known
    int packages = 0, numa_nodes = 0, cores = 0, processing_units = 0;
    std::uint64_t memory_bytes = 0;
    std::uint64_t l1_cache_bytes = 0, l2_cache_bytes = 0, l3_cache_bytes = 0;
    /// Relative latencies between NUMA nodes, row by row (numa_nodes x numa_nodes); empty where
    /// the system does not tell them.
    std::vector<std::uint64_t> numa_distances;
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

/// Threads of a process that have the same name and may run on the same processing units.
struct ThreadGroup {
    std::string name;              ///< as the kernel knows the threads, at most 15 bytes
    std::string processing_units;  ///< where the kernel lets the threads run, as a list like 0-1,4
    int count = 0;
    bool operator==(const ThreadGroup&) const = default;
};

/// A binding is that of the rank's main thread: mpiaudit binds no other thread.
struct RankBinding {
    int rank = 0;
    std::string host;
    std::string launched_on;       ///< where the launcher let the rank run, as a list like 0-1,4
    std::string processing_units;  ///< where the kernel lets the rank run during the audit
    std::string bound_by;  ///< launcher, mpiaudit, nobody, or unknown without a known topology
    /// Threads beside the main thread before anything is measured: those of the MPI library.
    std::vector<ThreadGroup> other_threads;
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
    struct Threads {
        int rank = 0;
        std::vector<ThreadGroup> other_threads;
        bool operator==(const Threads&) const = default;
    };
    std::map<std::string, NodeConditions> conditions;  ///< by host
    std::vector<Moved> moved_ranks;        ///< that the kernel has moved to another processing unit
    std::vector<int> rebound_ranks;        ///< whose binding is another one than before
    std::vector<Threads> changed_threads;  ///< of ranks with other threads than before
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

/// What the processes in a control group may take together; 0: as much as there is.
struct GroupLimits {
    std::string folder;  ///< of the control group; empty: the machine itself
    std::uint64_t memory_bytes = 0;
    double processors = 0.0;  ///< processor time per time
    bool operator==(const GroupLimits&) const = default;
};

MPIAUDIT_MEMBERS(GroupLimits, (folder, memory_bytes, processors))

/// What a rank tells rank 0 about where it runs.
struct RankReport : RankBinding {
    std::vector<int> cores;  ///< on which the rank may run
    int ranks_on_node = 1;
    std::int64_t moves = 0;  ///< by the kernel since the rank was looked at first
    std::vector<GroupLimits> limits;
    /// From the first rank of a node only.
    std::optional<NodeTopology> topology;
    std::optional<NodeConditions> conditions;
    bool operator==(const RankReport&) const = default;
};

MPIAUDIT_MEMBERS(RankReport,
                 (host, launched_on, processing_units, bound_by, other_threads, cores,
                  ranks_on_node, moves, limits),
                 (topology, conditions))

/// How a batch system runs the audit, as its job script tells.
struct Job {
    CommandLine
        launcher;  ///< the words that started the ranks, without the program; empty: unknown
    std::optional<std::string> record;  ///< what the scheduler says about job and nodes
    bool operator==(const Job&) const = default;
};

/// The launcher from the variable MPIAUDIT_LAUNCHER, else from what srun tells its tasks, else from
/// the command line of the process that has started this one; the record from the file that
/// MPIAUDIT_JOB_RECORD names; empty without them. What makes the times less trustworthy is added to
/// the warnings.
Job describe_job(std::vector<std::string>& warnings);

/// The variables of this process that steer MPI libraries, launchers and schedulers, without what a
/// launcher tells its ranks about this one job.
std::map<std::string, std::string> steering_variables();

/// Where the kernel lets the calling thread run, as a list like 0-3,8; empty where the kernel does
/// not tell.
std::string own_processing_units();

/// The threads of this process beside the calling one, without the thread of the watchdog.
std::vector<ThreadGroup> other_threads();

/// The version of hwloc that reads the topology; empty in a program without hwloc.
std::string hwloc_version();

/// The topology of the node of this rank, as hwloc reads it: of the processing units that the
/// control group of this process allows. Reading it changes the binding of no thread. Without hwloc
/// nothing is known, and no thread can be bound.
class Topology {
  public:
    Topology();

    bool is_known() const { return topology_ != nullptr; }
    int cores() const;       ///< 0 where the topology is not known
    int numa_nodes() const;  ///< 0 where the topology is not known
    /// True when the calling thread is kept from some processing unit that it could have, or when
    /// there is one core only.
    bool is_bound() const;
    /// Cores on which the calling thread may run, numbered from 0 in the order of hwloc.
    std::vector<int> own_cores() const;
    /// Binds the calling thread, and no other, to one core; false when the system refuses.
    bool bind_to_core(int core);
    /// Binds the calling thread, and no other, to the processing units of a NUMA node; false when
    /// the system refuses.
    bool bind_to_numa_node(int node);
    NodeTopology describe() const;
    /// Of the outermost caches, all together; 0 where none is known.
    std::uint64_t last_level_cache_bytes() const;

  private:
    std::unique_ptr<hwloc_topology, void (*)(hwloc_topology*)> topology_;
};

/// The control groups of this process that limit memory or processors, from its own up to the one
/// that is mounted, of versions 1 and 2.
/// \param system the root folder of the system, another one in tests
std::vector<GroupLimits> control_groups(const std::string& system);
/// The limits of the control groups of this process, and those of the machine.
std::vector<GroupLimits> machine_limits();
/// Bytes of memory of the machine, or the lowest limit of a control group where that is lower.
std::uint64_t machine_memory_bytes();
/// Bytes that each rank could have where ranks in the same control group of a host, or on the same
/// host, share their limits alike: the smallest of all ranks.
std::uint64_t smallest_share_of_memory(std::span<const RankReport> ranks);
/// "HOST: ..." for each control group that grants less processor time than its ranks take.
std::vector<std::string> quota_warnings(std::span<const RankReport> ranks);

/// What `--bind` may do to ranks that the launcher left unbound: a core each, a NUMA node shared
/// with its other ranks, or nothing.
enum class Binding { core, numa, none };

/// A rank among those of its node.
struct PlaceOnNode {
    int rank = 0;
    int ranks = 1;
};

/// Binds the calling thread if it should be and can be, and says who has bound it: launcher,
/// mpiaudit, nobody, or unknown where the topology is not known.
std::string bind_main_thread(Topology& topology, Binding binding, const PlaceOnNode& place);

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
