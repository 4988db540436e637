// SPDX-License-Identifier: BSD-3-Clause
#include "machine/job.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

namespace mpiaudit {

Job describe_job(std::vector<std::string>& warnings) {
    Job job;
    if (const char* launcher = std::getenv("MPIAUDIT_LAUNCHER")) job.launcher = launcher;
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
    job.record = std::move(record);
    return job;
}

}  // namespace mpiaudit
