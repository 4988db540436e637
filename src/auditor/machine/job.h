// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpiaudit {

/// How a batch system runs the audit, as its job script tells.
struct Job {
    std::optional<std::string> launcher;  ///< the command that started the ranks
    std::optional<std::string> record;    ///< what the scheduler says about job and nodes
    bool operator==(const Job&) const = default;
};

/// The launcher from the variable MPIAUDIT_LAUNCHER, else from what srun tells its tasks; the
/// record from the file that MPIAUDIT_JOB_RECORD names; empty without them. What makes the times
/// less trustworthy is added to the warnings.
Job describe_job(std::vector<std::string>& warnings);

/// The variables of this process that steer MPI libraries, launchers and schedulers, without what a
/// launcher tells its ranks about this one job.
std::map<std::string, std::string> steering_variables();

}  // namespace mpiaudit
