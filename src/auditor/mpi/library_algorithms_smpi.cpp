// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/library_algorithms.h"

#include <utility>

namespace mpiaudit {

// SMPI has no tool interface: its algorithms are chosen at the start of the simulation.

LibraryAlgorithm::LibraryAlgorithm(std::string operation, std::string name, int variable,
                                   std::string variable_name, int value, int value_of_user)
    : operation_{std::move(operation)},
      name_{std::move(name)},
      variable_{variable},
      variable_name_{std::move(variable_name)},
      value_{value},
      value_of_user_{value_of_user} {}

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

}  // namespace mpiaudit
