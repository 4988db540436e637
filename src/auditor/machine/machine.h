// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/machine_description.h"

namespace mpiaudit {

/// The hosts of the job and the binding of each rank.
struct Machine {
    MachineDescription description;  ///< on rank 0 only
    /// Conditions that make times less trustworthy, each with a remedy; on rank 0 only.
    std::vector<std::string> warnings;
    /// Half of a rank's share of the free memory, on the node or in the control group where this
    /// share is smallest; equal on all ranks.
    /// In a simulation half of this machine's memory for all ranks together.
    std::uint64_t memory_limit_bytes = 0;
    /// Size of the outermost caches of all nodes together; equal on all ranks; 0 in a simulation.
    double outermost_cache_bytes = 0.0;
    /// Says of which hosts the kernel does not describe the caches, and what stands for their size;
    /// on rank 0 only.
    std::vector<std::string> cache_warnings;
    /// Processing units of the first host that its ranks may use, over these ranks; on rank 0 only;
    /// 0 if unknown.
    double processors_of_a_rank = 0;
    /// migrations() of this rank at the begin.
    long migrations_before = 0;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

/// Binds the main threads of unbound ranks if requested and if there are enough cores, then
/// examines all ranks. Simulated hosts have no topology, and nothing is bound. Collective over
/// audited_ranks().
Machine examine_machine(Binding binding);

/// Returns which ranks were moved, were bound anew or have other threads since examine_machine(),
/// and how busy other programs kept the nodes. On rank 0; nullopt on other ranks and in a
/// simulation. Collective over audited_ranks().
std::optional<MachineAfter> examine_again(const Machine& machine);

/// Returns the load, the other running tasks, the frequency governor and the SMT of this rank's
/// node, as far as the kernel tells. Samples /proc/loadavg for 50 ms, in which all `ranks` of the
/// audit on the node must spin: they are subtracted from the running tasks.
NodeConditions node_conditions(int ranks);

/// Estimates the number of other processes that ran beside `ranks` busy ones while the load average
/// went from `before` to `after`. The load average is a mean whose weights fall to 1/e in a minute,
/// so it contains processes that ran before. The estimate may be negative. Returns 0 for less than
/// 20 s.
double other_processes_between(double before, double after, double seconds, int ranks);

/// Returns true if other programs ran on the node beside the audit's ranks.
bool is_shared_with_others(const NodeConditions& conditions);

/// Returns warnings about conditions that make times less trustworthy, each with a remedy.
std::vector<std::string> condition_warnings(const std::string& host,
                                            const NodeConditions& conditions);

/// Returns how often the kernel has moved this process to another processing unit; -1 if unknown.
long migrations();

/// Measures how fast a flag passes between two processes of this node, and how fast one process
/// copies into shared memory, as references for messages of the MPI library within a node. Returns
/// nullopt on all but the first rank of the node, on a node with one rank, or if processes cannot
/// share memory. Collective over the communicator of the node; takes a few milliseconds.
std::optional<HostSpeed> measure_host_speed(MPI_Comm node);

/// The treatment of large blocks by malloc; many collectives allocate large blocks. In a young
/// process glibc maps and unmaps each large block. Later it keeps freed memory, so that no page is
/// touched for the first time.
enum class Heap {
    young,  ///< first calls: maps blocks from 128 KiB on, returns freed memory at once
    grown   ///< later calls: takes blocks up to 32 MiB from the heap, keeps up to 64 MiB when freed
};

/// Sets the treatment of large blocks, which malloc then no longer adapts itself. Does nothing
/// without glibc.
void set_heap(Heap heap);

/// Returns true if malloc is glibc's and the environment does not configure it.
bool can_set_heap();

/// Returns the resident memory of this process, whole pages as the kernel counts them; 0 if
/// unknown.
std::int64_t resident_bytes();
/// Returns the exact number of bytes that are allocated by malloc at this moment; 0 if unknown.
std::int64_t allocated_bytes();

/// Returns the largest resident memory since the last forget_peak(); 0 if unknown.
std::int64_t peak_bytes();
/// Makes peak_bytes() begin anew. Does nothing if the kernel refuses.
void forget_peak();

}  // namespace mpiaudit
