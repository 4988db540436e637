// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace mpiaudit {

/// How a batch system runs this audit, as its job script tells: "launcher", its command line, from
/// the variable MPIAUDIT_LAUNCHER; "record", what the scheduler says about job, nodes and
/// configuration, from the file in MPIAUDIT_JOB_RECORD. Empty without them. What makes the times
/// less trustworthy is added to the warnings.
nlohmann::json describe_job(std::vector<std::string>& warnings);

}  // namespace mpiaudit
