// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

namespace mpiaudit {

/// The variables of this process that steer MPI libraries, launchers and schedulers, without what a
/// launcher tells its ranks about this one job.
std::map<std::string, std::string> steering_variables();

}  // namespace mpiaudit
