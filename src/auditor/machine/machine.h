// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/machine_description.h"
#include "machine/placement.h"

namespace mpiaudit {

/// The hosts of the job and where each rank runs.
struct Machine {
    MachineDescription description;  ///< on rank 0 only
    /// What makes the times less trustworthy, each with its remedy; on rank 0 only.
    std::vector<std::string> warnings;
    /// Half the memory that each rank of the fullest node could have; the same on all ranks. In a
    /// simulation half of this machine's memory for all ranks together.
    std::uint64_t memory_limit_bytes = 0;
    /// Of the outermost caches of all nodes together, the same on all ranks; 0 where none is known,
    /// as in a simulation.
    double last_level_cache_bytes = 0.0;
    /// Of this rank: moves by the kernel until it was looked at, see migrations().
    long migrations_before = 0;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

/// Binds unbound ranks if asked to and if there are enough cores, then looks at all ranks. In a
/// simulation hosts have no topology, and nothing is bound. Collective over MPI_COMM_WORLD.
Machine examine_machine(Binding binding);

/// What has changed when the measurement has ended; on rank 0 only, and nothing in a simulation.
/// Collective over MPI_COMM_WORLD.
std::optional<MachineAfter> examine_again(const Machine& machine);

}  // namespace mpiaudit
