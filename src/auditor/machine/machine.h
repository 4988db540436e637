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

/// The hosts of the job and where each rank runs.
struct Machine {
    MachineDescription description;  ///< on rank 0 only
    /// What makes the times less trustworthy, each with its remedy; on rank 0 only.
    std::vector<std::string> warnings;
    /// Half the memory that each rank of the fullest node or control group could have; the same on
    /// all ranks. In a simulation half of this machine's memory for all ranks together.
    std::uint64_t memory_limit_bytes = 0;
    /// Of the outermost caches of all nodes together, the same on all ranks; 0 where none is known,
    /// as in a simulation.
    double last_level_cache_bytes = 0.0;
    /// Of this rank: moves by the kernel until it was looked at, see migrations().
    long migrations_before = 0;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

/// Binds the main threads of unbound ranks if asked to and if there are enough cores, then looks at
/// all ranks. In a simulation hosts have no topology, and nothing is bound. Collective over
/// MPI_COMM_WORLD.
Machine examine_machine(Binding binding);

/// What has changed when the measurement has ended; on rank 0 only, and nothing in a simulation.
/// Collective over MPI_COMM_WORLD.
std::optional<MachineAfter> examine_again(const Machine& machine);

/// Of the node of this rank, as far as the kernel tells. Takes 50 ms, in which the audit's `ranks`
/// on the node are busy waiting.
NodeConditions node_conditions(int ranks);

/// How many processes of others ran while the load average went from `before` to `after`, beside
/// `ranks` busy ones. It is a mean over the past whose weights fall by 1/e in a minute, so that it
/// starts with what ran before; over less than 20 s it says nothing.
double others_between(double before, double after, double seconds, int ranks);

/// Whether other programs ran on the node beside the audit's ranks.
bool is_shared_with_others(const NodeConditions& conditions);

/// What of these conditions makes times less trustworthy, each with its remedy.
std::vector<std::string> condition_warnings(const std::string& host,
                                            const NodeConditions& conditions);

/// How often the kernel has moved this process to another processing unit so far; negative when it
/// does not say.
long migrations();

/// What two processes of this node reach through memory that they share, without the MPI library:
/// what its messages within a node are to be held against. Nothing on a node with one rank, or
/// where processes cannot share memory. On the first rank of the node, elsewhere nothing.
/// Collective over the communicator of the node; takes a few milliseconds.
std::optional<HostSpeed> measure_host_speed(MPI_Comm node);

/// What malloc does with large blocks, which a library asks for in many a collective. glibc takes
/// each from the system and gives it back while a process is young, and keeps them once larger ones
/// have been freed: then no page has to be touched for the first time.
enum class Heap {
    young,  ///< blocks from 128 KiB on come from the system, freed memory goes back: first calls
    grown   ///< blocks up to 32 MiB come from the heap, freed memory stays there: repeated calls
};

/// From now on. Does nothing where malloc is not glibc's.
void set_heap(Heap heap);

/// malloc can be told, and the environment has not done it.
bool can_set_heap();

/// Of this process, in pages, as the kernel counts them. 0 where it cannot be known.
std::int64_t resident_bytes();
/// By malloc, and not freed; exact. 0 where it cannot be known.
std::int64_t allocated_bytes();

/// The most resident memory since the last call of forget_peak(); 0 where it cannot be known.
std::int64_t peak_bytes();
void forget_peak();

}  // namespace mpiaudit
