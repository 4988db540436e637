// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpiaudit {

/// What `--bind` may do to ranks that the launcher left unbound: a core each, a NUMA node shared
/// with its other ranks, or nothing.
enum class Binding { core, numa, none };
std::optional<Binding> find_binding(std::string_view name);
std::vector<std::string> binding_names();

/// The hosts of the job and where each rank runs.
struct Machine {
    /// "hosts" and "bindings" as the report wants them; on rank 0 only.
    std::string description_json;
    /// What makes the times less trustworthy, each with its remedy; on rank 0 only.
    std::vector<std::string> warnings;
    /// Half the memory that each rank of the fullest node could have; the same on all ranks.
    std::uint64_t memory_per_rank_bytes = 0;
    /// Of this rank: moves by the kernel until it was looked at, see migrations().
    long migrations_before = 0;
};

/// Binds unbound ranks if asked to and if there are enough cores, then looks at all ranks.
/// Collective over MPI_COMM_WORLD.
Machine examine_machine(Binding binding);

/// The same of a simulated cluster: hosts without topology, no bindings, half of this machine's
/// memory for all ranks together. Collective over MPI_COMM_WORLD.
Machine examine_simulated_machine();
/// What has changed when the measurement has ended, on rank 0: "conditions" by host, "moved_ranks"
/// with the number of moves, "rebound_ranks" that may run elsewhere now, and "warnings". Null
/// elsewhere. Collective over MPI_COMM_WORLD.
nlohmann::json examine_again(const Machine& machine);

/// The variables of this process that steer MPI libraries, launchers and schedulers.
nlohmann::json steering_variables();

}  // namespace mpiaudit
