// SPDX-License-Identifier: BSD-3-Clause
// Declared in machine/machine_description.h.
#include "machine/machine_description.h"

#include <mpi.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "collectives/gather/gather.h"
#include "machine/launcher.h"
#include "messages/messages.h"
#include "mpi/part_of_launch.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Returns true if the k-th rank of host h is h * first_step + k * step on all hosts.
bool are_spaced(std::span<const Host> hosts, int first_step, int step) {
    for (std::size_t h = 0; h < hosts.size(); ++h) {
        int expected = static_cast<int>(h) * first_step;
        for (const int rank : hosts[h].ranks) {
            if (rank != expected) return false;
            expected += step;
        }
    }
    return true;
}

}  // namespace

std::string bind_main_thread(Topology& topology, Binding binding, const PlaceOnNode& place) {
    if (!topology.is_known()) return "unknown";
    if (topology.is_bound()) return "launcher";
    if (place.ranks > topology.cores()) return "nobody";
    // Consecutive ranks share a NUMA node.
    const int node = place.rank * topology.numa_nodes() / place.ranks;
    const bool is_bound = (binding == Binding::core && topology.bind_to_core(place.rank)) ||
                          (binding == Binding::numa && topology.bind_to_numa_node(node));
    return is_bound ? "mpiaudit" : "nobody";
}

RankPlacement placement_of(std::span<const Host> hosts) {
    RankPlacement placement{.hosts = static_cast<int>(hosts.size())};
    if (hosts.empty()) return placement;
    const auto [least, most] =
        std::ranges::minmax_element(hosts, {}, [](const Host& host) { return host.ranks.size(); });
    placement.least_ranks = static_cast<int>(least->ranks.size());
    placement.most_ranks = static_cast<int>(most->ranks.size());
    const bool is_even = placement.least_ranks == placement.most_ranks;
    if (is_even && are_spaced(hosts, placement.most_ranks, 1))
        placement.order = RankOrder::block;
    else if (are_spaced(hosts, 1, placement.hosts))
        placement.order = RankOrder::cyclic;
    else
        placement.order = RankOrder::irregular;
    return placement;
}

std::string_view name(RankOrder order) {
    constexpr std::string_view names[] = {"block", "cyclic", "irregular"};
    return names[static_cast<std::size_t>(order)];
}

std::vector<Host> hosts_of(const std::vector<std::string>& names) {
    std::vector<Host> hosts;
    std::map<std::string, std::size_t> place;
    for (std::size_t rank = 0; rank < names.size(); ++rank) {
        const auto [known, is_new] = place.try_emplace(names[rank], hosts.size());
        if (is_new) hosts.push_back({names[rank], {}, {}, {}});
        hosts[known->second].ranks.push_back(static_cast<int>(rank));
    }
    return hosts;
}

namespace {

using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;

Name own_name() {
    Name name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    return name;
}

}  // namespace

std::string processor_name() {
    return plain_line(own_name().data());
}

std::vector<std::string> processor_names() {
    const int rank = messages::rank_in(audited_ranks()), ranks = messages::size_of(audited_ranks());
    const Name own = own_name();
    std::vector<Name> all(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
    const auto bytes = static_cast<int>(own.size());
    binomial_Gather(own.data(), bytes, MPI_CHAR, all.data(), bytes, MPI_CHAR, 0, audited_ranks());
    std::vector<std::string> names;
    for (const Name& name : all) names.push_back(plain_line(name.data()));
    return names;
}

namespace {

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : plain(value);
}

/// Returns the srun command from Slurm's variables. Ranks of an mpirun inside of a job lack the
/// first of them.
CommandLine launcher_of_slurm() {
    const std::string pmi = variable("SLURM_MPI_TYPE");
    const std::string nodes = variable("SLURM_STEP_NUM_NODES");
    const std::string tasks = variable("SLURM_STEP_NUM_TASKS");
    if (pmi.empty() || pmi == "none" || nodes.empty() || tasks.empty()) return {};
    return {{"srun", "--mpi=" + pmi, "--nodes=" + nodes, "--ntasks=" + tasks}};
}

}  // namespace

Job describe_job(std::vector<std::string>& warnings) {
    Job job;
    const char* const told = std::getenv("MPIAUDIT_LAUNCHER");
    job.launcher = CommandLine::of(told == nullptr ? "" : told);
    for (std::string& word : job.launcher.words) word = plain(word);
    if (job.launcher.empty()) job.launcher = launcher_of_slurm();
    if (job.launcher.empty()) job.launcher = launcher_of_this_process();
    const char* file = std::getenv("MPIAUDIT_JOB_RECORD");
    if (file == nullptr) return job;
    std::ifstream stream(file);
    std::string record{std::istreambuf_iterator<char>(stream), {}};
    if (record.empty()) {
        warnings.push_back(
            std::string(file) +
            ": cannot be read, so the report lacks the scheduler's description of the job");
        return job;
    }
    // OverSubscribe=NO marks a job with exclusive nodes.
    if (record.find(" OverSubscribe=") != std::string::npos &&
        record.find(" OverSubscribe=NO") == std::string::npos)
        warnings.push_back(
            "other jobs may have run on the same nodes; submit with --exclusive to keep them away");
    job.record = plain(record);
    return job;
}

namespace {

bool starts_with_one_of(std::string_view name, std::initializer_list<std::string_view> prefixes) {
    return std::ranges::any_of(prefixes,
                               [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool steers(std::string_view name) {
    // These choose the loaded library, or the settings of its malloc.
    for (const std::string_view each :
         {"LD_PRELOAD", "LD_LIBRARY_PATH", "LOADEDMODULES", "GLIBC_TUNABLES"})
        if (name == each) return true;
    // PMI, PMIx and PRRTE: parameters only; their other variables are notes to one job.
    return starts_with_one_of(
        name, {"OMPI_", "PMIX_MCA_", "PRTE_MCA_", "MPICH_", "MPIR_", "I_MPI_", "MV2_", "UCX_",
               "FI_", "SLURM_", "SRUN_", "HYDRA_", "HCOLL_", "OMP_", "MALLOC_"});
}

/// Returns true for a launcher's notes to the ranks of one job: addresses, folders, numbers of
/// processes. They differ between runs, and no user sets them.
bool is_note_of_launcher(std::string_view name) {
    return starts_with_one_of(name, {"OMPI_COMM_WORLD_",
                                     "OMPI_WORLD_",
                                     "OMPI_APP_CTX_",
                                     "OMPI_ARGV",
                                     "OMPI_COMMAND",
                                     "OMPI_FILE_LOCATION",
                                     "OMPI_FIRST_RANKS",
                                     "OMPI_LIBDIR_LOC",
                                     "OMPI_NUM_APP_CTX",
                                     "OMPI_TOOL_NAME",
                                     "OMPI_UNIVERSE_SIZE",
                                     "OMPI_VERSION",
                                     "OMPI_MCA_PREFIXES",
                                     "OMPI_MCA_cpu_type",
                                     "OMPI_MCA_ess",
                                     "OMPI_MCA_initial_wdir",
                                     "OMPI_MCA_num_procs",
                                     "OMPI_MCA_num_restarts",
                                     "OMPI_MCA_orte_",
                                     "OMPI_MCA_pmix",
                                     "OMPI_MCA_prte_",
                                     "OMPI_MCA_shmem_RUNTIME_QUERY_hint",
                                     "OMPI_MCA_mpi_oversubscribe",
                                     "MPIR_CVAR_CH3_INTERFACE_HOSTNAME"});
}

}  // namespace

std::map<std::string, std::string> steering_variables() {
    std::map<std::string, std::string> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::size_t equals = text.find('=');
        if (equals == std::string_view::npos) continue;
        const std::string_view name = text.substr(0, equals);
        if (steers(name) && !is_note_of_launcher(name))
            variables[plain(name)] = plain(text.substr(equals + 1));
    }
    return variables;
}

}  // namespace mpiaudit
