// SPDX-License-Identifier: BSD-3-Clause
// check_launch() and speaks_for_all() of audit/commands.h; joint_code() of audit/steps.h.
#include "audit/commands.h"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "answer/answer.h"
#include "audit/steps.h"
#include "collectives/patterns/node_communicators.h"
#include "messages/agreement.h"
#include "messages/messages.h"
#include "plan/plan.h"
#include "screens/console.h"
#include "text/console.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Returns the number in a variable of the environment; 0 if it is not set.
int number_in(const char* variable) {
    const char* text = std::getenv(variable);
    return text == nullptr ? 0 : std::atoi(text);
}

/// Variables by which a launcher tells each process the number of processes and its rank.
struct LauncherVariables {
    const char *launcher, *size, *rank;
    const char* remedy;  ///< for a library that does not understand this launcher
};
constexpr std::array variables_of_launchers = {
    LauncherVariables{
        "srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID",
        "give srun another --mpi, pmix for Open MPI, pmi2 for MPICH (srun --mpi=list)"},
    LauncherVariables{"Open MPI's mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK",
                      "use the mpirun of that library"},
    LauncherVariables{"a launcher of another MPI library", "PMI_SIZE", "PMI_RANK",
                      "use the mpirun of that library"},
    LauncherVariables{"a launcher of another MPI library", "MPI_LOCALNRANKS", "MPI_LOCALRANKID",
                      "use the mpirun of that library"},
};

/// Returns the launcher if it started several processes but the MPI library sees only this one, so
/// that each process would run an audit of one rank; null if library and launcher agree.
const LauncherVariables* misunderstood_launcher(const Environment& environment) {
    if (environment.ranks() > 1) return nullptr;
    const auto* const found = std::ranges::find_if(
        variables_of_launchers,
        [](const LauncherVariables& each) { return number_in(each.size) > 1; });
    return found == variables_of_launchers.end() ? nullptr : found;
}

OwnedComm ranks_that_share_memory() {
    MPI_Comm node{};
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    return OwnedComm{node};
}

/// Returns the fewest and the most ranks of a node. Collective.
std::array<int, 2> ranks_per_node(const OwnedComm& own) {
    const int ranks = messages::size_of(own.get());
    std::array<int, 2> extremes = {-ranks, ranks};
    take_largest(extremes, MPI_COMM_WORLD);
    return {-extremes[0], extremes[1]};
}

}  // namespace

void check_launch(const LaunchOptions& options, const Environment& environment) {
    if (const LauncherVariables* told = misunderstood_launcher(environment))
        throw UsageError(
            "{} started {} processes, but each is an MPI job of its own: the MPI library ({}) does "
            "not understand this launcher; {}",
            told->launcher, number_in(told->size), library_name(Environment::library_version()),
            told->remedy);
    const int ranks = environment.ranks();
    const bool is_plan = options.dry_run && ranks == 1;
    if (!options.ranks.empty() && !is_plan && !options.ranks->numbers.empty() &&
        options.ranks->numbers.back() > ranks)
        throw UsageError(
            "--ranks: {} were expected, but the launcher has made an MPI job of {}; start more, or "
            "give numbers up to {}",
            options.ranks->numbers.back(), ranks, ranks);
    if (options.ranks_per_node == 0 || is_plan) return;
    // If several daemons of a scheduler run on one machine, nodes have one host name, but most
    // libraries share memory only within a node. If each rank is alone, the library may share no
    // memory at all, so host names decide.
    std::array found = ranks_per_node(ranks_that_share_memory());
    if (found == std::array{1, 1}) found = ranks_per_node(ranks_of_processor(MPI_COMM_WORLD));
    const auto [fewest, most] = found;
    if (fewest != options.ranks_per_node || most != options.ranks_per_node)
        throw UsageError(
            "--ranks-per-node: {} were expected, but the launcher has put {} on a "
            "node; give it the number for each node (srun --ntasks-per-node, Open "
            "MPI's mpirun --map-by ppr:N:node, MPICH's mpirun -ppn)",
            options.ranks_per_node,
            fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most));
}

bool speaks_for_all(const Environment& environment) {
    const LauncherVariables* const told = misunderstood_launcher(environment);
    return messages::rank_in(MPI_COMM_WORLD) == 0 &&
           (told == nullptr || number_in(told->rank) == 0);
}

int joint_code(const std::vector<int>& codes) {
    for (const int grave : {exit_interrupted, exit_wrong_result, exit_violations}) {
        if (is_among(codes, grave)) return grave;
    }
    const bool are_equal = std::ranges::count(codes, codes.front()) == std::ssize(codes);
    return are_equal ? codes.front() : exit_done;
}

}  // namespace mpiaudit
