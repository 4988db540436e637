// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpiaudit {

/// How the ranks are brought together before each sample.
struct Synchronisation {
    std::string_view name;
    void (*wait)(MPI_Comm comm);
};

/// "barrier": the library's MPI_Barrier. "dissemination": our own barrier of ceil(log2 p) rounds,
/// the same for every library. Only in a simulation, "simultaneous": all ranks start at the same
/// instant, without messages.
std::optional<Synchronisation> find_synchronisation(std::string_view name);
std::vector<std::string> synchronisation_names();

}  // namespace mpiaudit
