// SPDX-License-Identifier: BSD-3-Clause
#include "machine/machine_description.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>

#include "text/plain.h"

namespace mpiaudit {

namespace {

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : plain(value);
}

/// Ranks that srun has started by hand know it from Slurm. Those of an mpirun inside of a job do
/// not have the first of these variables.
std::string launcher_of_slurm() {
    const std::string pmi = variable("SLURM_MPI_TYPE");
    const std::string nodes = variable("SLURM_STEP_NUM_NODES");
    const std::string tasks = variable("SLURM_STEP_NUM_TASKS");
    if (pmi.empty() || pmi == "none" || nodes.empty() || tasks.empty()) return "";
    return "srun --mpi=" + pmi + " --nodes=" + nodes + " --ntasks=" + tasks;
}

}  // namespace

Job describe_job(std::vector<std::string>& warnings) {
    Job job;
    std::string launcher = variable("MPIAUDIT_LAUNCHER");
    if (launcher.empty()) launcher = launcher_of_slurm();
    if (!launcher.empty()) job.launcher = std::move(launcher);
    const char* file = std::getenv("MPIAUDIT_JOB_RECORD");
    if (file == nullptr) return job;
    std::ifstream stream(file);
    std::string record{std::istreambuf_iterator<char>(stream), {}};
    if (record.empty()) {
        warnings.push_back(std::string(file) +
                           ": cannot be read, the report does not tell what the scheduler did");
        return job;
    }
    // Slurm's word for a job that has its nodes for itself is OverSubscribe=NO.
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
    // Which library is loaded, and what its malloc does.
    for (const std::string_view each :
         {"LD_PRELOAD", "LD_LIBRARY_PATH", "LOADEDMODULES", "GLIBC_TUNABLES"})
        if (name == each) return true;
    // Of PMI, PMIx and PRRTE only what sets a parameter; the rest are notes as those below.
    return starts_with_one_of(
        name, {"OMPI_", "PMIX_MCA_", "PRTE_MCA_", "MPICH_", "MPIR_", "I_MPI_", "MV2_", "UCX_",
               "FI_", "SLURM_", "SRUN_", "HYDRA_", "HCOLL_", "OMP_", "MALLOC_"});
}

/// What a launcher tells its ranks about this one job: addresses, folders, numbers of processes. No
/// two runs have the same, and nobody sets it.
bool is_note_of_launcher(std::string_view name) {
    return starts_with_one_of(
        name, {"OMPI_COMM_WORLD_", "OMPI_APP_CTX_", "OMPI_ARGV", "OMPI_COMMAND",
               "OMPI_FILE_LOCATION", "OMPI_FIRST_RANKS", "OMPI_NUM_APP_CTX", "OMPI_UNIVERSE_SIZE",
               "OMPI_MCA_ess", "OMPI_MCA_initial_wdir", "OMPI_MCA_num_procs", "OMPI_MCA_orte_",
               "OMPI_MCA_pmix", "OMPI_MCA_prte_", "OMPI_MCA_shmem_RUNTIME_QUERY_hint",
               "OMPI_MCA_mpi_oversubscribe", "MPIR_CVAR_CH3_INTERFACE_HOSTNAME"});
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
