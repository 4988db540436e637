// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/library_algorithms.h"

namespace mpiaudit {

// SMPI has no tool interface: its algorithms are chosen at the start of the simulation.

std::string LibraryAlgorithm::environment() const {
    return assignment();
}

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

bool is_set_by_audit(const std::string&) {
    return false;
}

std::map<std::string, settings::ControlVariable> control_variables() {
    return {};
}

}  // namespace mpiaudit
