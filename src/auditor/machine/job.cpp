// SPDX-License-Identifier: BSD-3-Clause
#include "machine/job.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
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

}  // namespace mpiaudit
