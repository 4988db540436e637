// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace mpiaudit {

/// The names of the processors of all ranks as MPI tells them, which are those of hosts; on rank 0,
/// elsewhere nothing. Collective over MPI_COMM_WORLD.
std::vector<std::string> processor_names();
/// Of this rank alone.
std::string processor_name();

}  // namespace mpiaudit
