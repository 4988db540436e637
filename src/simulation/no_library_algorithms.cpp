// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/library_algorithms.h"

// SMPI has no MPI_T: its algorithms are chosen at the start, by the options of jobs/simulate.
namespace mpiaudit {

MPI_Comm LibraryAlgorithm::communicator(MPI_Comm comm) const {
    return comm;
}

std::vector<LibraryAlgorithm> discover_algorithms() {
    return {};
}

void select_algorithm(const LibraryAlgorithm*) {}

std::optional<std::string> take_refusal() {
    return std::nullopt;
}

void prepare_for_forced_algorithms() {}

}  // namespace mpiaudit
